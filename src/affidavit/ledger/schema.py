"""The tables as the newest migration leaves them. No type here belongs to one database.

There is one table. A run is its events: its question stands in the first, its end in the last, and its state
is read from them, so no row can say that a run succeeded whose events say otherwise.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Table

HEAD = "0001"
"""The revision this code reads and writes: the newest in `migrations/versions`. A test compares the two."""


@cache
def events_table() -> "Table":
    """`payload` is canonical JSON (ASCII). (run_id, seq) is the key, so two writers cannot both be next."""
    import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

    return sa.Table(
        "events",
        sa.MetaData(),
        sa.Column("run_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("type", sa.String(100), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("previous", sa.String(100)),
        sa.Column("digest", sa.String(100), nullable=False),
        sa.Index("events_by_type", "type", "run_id"),
    )
