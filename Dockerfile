# The reference service in a small image:
#
#   docker build --tag blog .
#   docker run --rm --publish 8080:8080 blog
#
# It keeps its SQLite file in /srv, a volume. `--env DATABASE_URL=postgres://…` uses another database.

FROM rust:1-slim AS build
# For the embedded SQLite and for zstd, which are written in C.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# Downloads and compiled dependencies stay in a cache of the builder, so that a change compiles only what it touches.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked --package blog \
    && cp target/release/blog /usr/local/bin/blog

FROM debian:stable-slim
RUN useradd --system --create-home --home-dir /srv blog
COPY --from=build /usr/local/bin/blog /usr/local/bin/blog
USER blog
WORKDIR /srv
VOLUME /srv
# Reachable from outside the container.
ENV LISTING_BIND=0.0.0.0:8080
EXPOSE 8080
# Ctrl-C and `docker stop` let requests finish first.
ENTRYPOINT ["blog"]
