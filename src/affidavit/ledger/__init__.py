"""What happened, append-only. `Ledger` opens it, `RunLog` writes a run, `Run` and `Event` are what is read back."""

from affidavit.ledger.blobs import Blobs
from affidavit.ledger.event import Event
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.run import Run, RunLog

__all__ = ["Blobs", "Event", "Ledger", "Run", "RunLog"]
