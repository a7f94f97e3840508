"""Wikipedia in the language of the settings: a MediaWiki at a fixed address."""

from affidavit.search.connection import Connection
from affidavit.search.mediawiki import MediaWiki


def wikipedia(connection: Connection) -> MediaWiki:
    return MediaWiki(connection, "wikipedia", "wikipedia")


def own_wiki(connection: Connection) -> MediaWiki:
    """The wiki whose ``api.php`` the operator named in `mediawiki_url`."""
    return MediaWiki(connection, "mediawiki", "mediawiki")
