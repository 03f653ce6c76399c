// In: LISTING_BLOG_URL. Out: the blog as plain requests see it, which is what the clients' answers are held against.

const blog = process.env.LISTING_BLOG_URL;
if (!blog) {
  throw new Error("LISTING_BLOG_URL must name a running blog, such as http://127.0.0.1:8080");
}

/** What every client is told. */
export const api = `${blog.replace(/\/+$/, "")}/api`;

/** Asks without any client. */
export async function ask(method, path, body) {
  const response = await fetch(`${api}/${path}`, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Every article with every field and its author, in the order of the ids. */
export async function allArticles() {
  const articles = [];
  for (let page = 1; ; page += 1) {
    const query = `fields=*&populate=author&sort=id&pagination[page]=${page}&pagination[pageSize]=100`;
    const { status, body } = await ask("GET", `articles?${query}`);
    if (status !== 200) {
      throw new Error(`the blog answers ${status}: ${JSON.stringify(body)}`);
    }
    articles.push(...body.data);
    if (page >= body.meta.pagination.pageCount) {
      return articles;
    }
  }
}

/** What a list shows of an article when no fields are named. */
export function asListed({ id, title, slug, is_active, views, created_at }) {
  return { id, title, slug, is_active, views, created_at };
}

export const ids = (rows) => rows.map((row) => row.id);

let drafts = 0;

/** The payload of an article that does not exist yet, in this run or any other. */
export function draft(changes = {}) {
  drafts += 1;
  const slug = `draft-${Date.now()}-${process.pid}-${drafts}`;
  return { title: `Draft ${drafts}`, slug, body: "To be written.", is_active: true, ...changes };
}
