from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from affidavit.errors import StorageError
from affidavit.ledger.database import MIGRATIONS, connect, database_url
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.schema import HEAD, events_table


def test_the_schema_this_code_expects_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_the_migrations_make_exactly_the_tables_of_the_schema(where: str) -> None:
    engine = connect(database_url(where))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, events_table().metadata) == []
    engine.dispose()


def test_a_ledger_of_a_newer_product_is_refused_with_what_to_do(where: str, tmp_path: Path) -> None:
    Ledger.open(where, blobs=tmp_path).close()
    engine = connect(database_url(where))
    with engine.connect() as connection, connection.begin():
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StorageError, match=r"newer Affidavit \(schema 9999.*pip install --upgrade"):
        Ledger.open(where, blobs=tmp_path)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, and there are enough of them to fill a header. " * 20)
    with pytest.raises(StorageError, match=r"notes\.txt: this file is not a ledger"):
        Ledger.open(path)


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    Ledger.open(path).close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StorageError, match=r"ledger\.sqlite3: the database is damaged"), Ledger.open(path) as ledger:
        ledger.runs()


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened"):
        Ledger.open(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(StorageError, match=r"cannot make the ledger's folder: a (part of the path|file)"):
        Ledger.open(tmp_path / "x" / "y" / "ledger.sqlite3")


@pytest.mark.parametrize("url", ["mysql://u:secret@h/x", "sqlite://", "sqlite:///:memory:", "http://u:secret@h/"])
def test_another_kind_of_database_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(StorageError) as caught:
        Ledger.open(url)
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StorageError, match="cannot be reached") as caught:
        Ledger.open(f"postgresql://u:hunter2@/x?host={tmp_path}", blobs=tmp_path)
    assert "hunter2" not in str(caught.value)


def test_a_postgresql_ledger_needs_a_folder_for_its_blobs() -> None:
    with pytest.raises(StorageError, match="name a folder for the blobs"):
        Ledger.open("postgresql://u@h/x")


def test_opening_an_existing_ledger_does_not_load_the_migration_tool(tmp_path: Path) -> None:
    import subprocess
    import sys

    Ledger.open(tmp_path / "l.sqlite3").close()
    code = (
        "import sys; from affidavit.ledger.ledger import Ledger; assert 'sqlalchemy' not in sys.modules\n"
        "Ledger.open(sys.argv[1]).close(); assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "l.sqlite3"], check=True)
