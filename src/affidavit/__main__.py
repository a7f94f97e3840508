"""``python -m affidavit``."""

from affidavit.cli import main

main()
