"""Alembic's entry: run the migrations on the connection the ledger holds, inside its transaction.

The transaction is the ledger's, so a migration and the record of it commit together or not at all. From
Alembic's own command line, give the URL: ``alembic -x url=… upgrade head``.
"""

import sqlalchemy as sa
from alembic import context

from affidavit.ledger.schema import events_table


def run(connection: sa.Connection) -> None:
    context.configure(connection=connection, target_metadata=events_table().metadata, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = sa.create_engine(context.get_x_argument(as_dictionary=True)["url"])
    with engine.begin() as own:
        run(own)
