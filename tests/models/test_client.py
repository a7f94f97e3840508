import asyncio
from typing import Any

import pytest

from affidavit.models.client import ForeignOrigin, open_client


def test_only_the_one_origin_is_asked(provider: Any):
    async def main() -> None:
        async with provider({"a": 1}) as mine, provider({"b": 2}) as other:
            client = open_client(mine.url + "/v1", {}, 5)
            assert (await client.get(mine.url + "/anything")).json() == {"a": 1}
            for foreign in (other.url + "/v1", mine.url.replace("127.0.0.1", "localhost"), "https://127.0.0.1/v1"):
                with pytest.raises(ForeignOrigin, match=r"only 127\.0\.0\.1 is asked"):
                    await client.get(foreign)
            assert other.asked == []
            await client.aclose()

    asyncio.run(main())


def test_what_leads_elsewhere_is_not_followed(provider: Any):
    async def main() -> None:
        async with provider({"b": 2}) as other, provider((307, {"location": other.url}, {})) as mine:
            client = open_client(mine.url, {}, 5)
            assert (await client.post(mine.url, json={}, headers={"authorization": "Bearer key"})).status_code == 307
            with pytest.raises(ForeignOrigin):
                await client.post(mine.url, json={}, follow_redirects=True)
            assert other.asked == []
            await client.aclose()

    asyncio.run(main())
