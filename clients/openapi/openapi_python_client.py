"""Asks through the client of `openapi-python-client`."""

import json
import sys
from datetime import datetime

folder, url, since = sys.argv[1:]
sys.path.insert(0, folder)

from blog_client import Client  # noqa: E402
from blog_client.api.articles import get_article, list_articles, query_articles  # noqa: E402
from blog_client.models import ArticleQuery, ListArticlesFieldsItem, ListArticlesSortItem  # noqa: E402

client = Client(base_url=url)
page = list_articles.sync(
    client=client,
    fields=[ListArticlesFieldsItem.TITLE, ListArticlesFieldsItem.VIEWS],
    filtersviewsgte=90_000,
    filterscreated_atgte=datetime.fromisoformat(since),
    sort=[ListArticlesSortItem.VIEWSDESC],
)
# Its clients drop the names around an object: filters through relations are sent as JSON.
asked = {
    "fields": ["title", "views"],
    "filters": {
        "views": {"$gte": 90_000},
        "created_at": {"$gte": since},
        "author": {"country": {"$eq": "DE"}},
    },
    "sort": ["views:desc"],
}
found = query_articles.sync(client=client, body=ArticleQuery.from_dict(asked))
ids = [item.id for item in found.data]
items = [{"id": item.id, "title": item.title, "views": item.views} for item in page.data if item.id in ids]
missing = get_article.sync(999_999, client=client).error.code
print(json.dumps({"items": items, "missing": missing}))
