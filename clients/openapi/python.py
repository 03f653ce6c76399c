"""Asks through the client of OpenAPI Generator's `python`."""

import json
import sys
from datetime import datetime

folder, url, since = sys.argv[1:]
sys.path.insert(0, folder)

from openapi_client import ApiClient, ArticlesApi, Configuration  # noqa: E402
from openapi_client.exceptions import NotFoundException  # noqa: E402

with ApiClient(Configuration(host=url)) as client:
    articles = ArticlesApi(client)
    page = articles.list_articles(
        fields=["title", "views"],
        filters_views_gte=90_000,
        filters_created_at_gte=datetime.fromisoformat(since),
        # Its clients write objects as text: filters through relations are sent as parameters of their own names.
        nested={"filters[author][country][$eq]": "DE"},
        sort=["views:desc"],
    )
    items = [{"id": item.id, "title": item.title, "views": item.views} for item in page.data]
    try:
        articles.get_article(999_999)
        missing = None
    except NotFoundException as error:
        missing = error.data.error.code

print(json.dumps({"items": items, "missing": missing}))
