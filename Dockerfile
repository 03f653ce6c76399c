# The reference service in a small image:
#
#   docker build --tag blog .
#   docker run --rm --publish 8080:8080 blog
#
# Its SQLite file is in the volume /data. `--env DATABASE_URL=postgres://…` uses another database.

FROM rust:1-slim-trixie AS build
# For jemalloc.
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# Downloads and compiled dependencies stay in the builder's cache, so that a change compiles only what it touches.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked --package blog --features jemalloc \
    && cp target/release/blog /usr/local/bin/blog

# The same release of Debian, whose C library the program is linked with.
FROM debian:trixie-slim
RUN useradd --system blog && mkdir /data && chown blog /data
COPY --from=build /usr/local/bin/blog /usr/local/bin/blog
USER blog
WORKDIR /data
VOLUME /data
# Reachable from outside the container.
ENV LISTING_BIND=0.0.0.0:8080
ENV DATABASE_URL=sqlite:/data/blog.sqlite?mode=rwc
EXPOSE 8080
# `docker stop` lets requests finish first.
ENTRYPOINT ["blog"]
