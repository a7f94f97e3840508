"""The events, which no statement can change or remove."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

MESSAGE = "events are append-only"

SQLITE = (
    f"CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END",
    f"CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END",
    # INSERT OR REPLACE removes the old row without asking the delete trigger.
    "CREATE TRIGGER events_no_replace BEFORE INSERT ON events"
    " WHEN EXISTS (SELECT 1 FROM events WHERE run_id = NEW.run_id AND seq = NEW.seq)"
    " BEGIN SELECT RAISE(ABORT, 'events are append-only: this event is already recorded'); END",
)

POSTGRESQL = (
    "CREATE FUNCTION events_append_only() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$",
    "CREATE TRIGGER events_no_change BEFORE UPDATE OR DELETE ON events"
    " FOR EACH ROW EXECUTE FUNCTION events_append_only()",
    "CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events"
    " FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()",
)


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("run_id", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("type", sa.String(100), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("previous", sa.String(100)),
        sa.Column("digest", sa.String(100), nullable=False),
    )
    op.create_index("events_by_type", "events", ["type", "run_id"])
    dialect = op.get_bind().dialect.name
    triggers = {"sqlite": SQLITE, "postgresql": POSTGRESQL}.get(dialect)
    if triggers is None:
        raise RuntimeError(f"the ledger knows SQLite and PostgreSQL, not {dialect}")
    for statement in triggers:
        op.execute(statement)


def downgrade() -> None:
    raise RuntimeError("the ledger is append-only: what was recorded is not taken away")
