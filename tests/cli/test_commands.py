import subprocess
import sys

import pytest

from affidavit.cli.commands import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_command_says_of_itself(name: str):
    command = COMMANDS[name].load(name)
    assert command.name == name
    assert (command.help or "").strip().partition("\n\n")[0].replace("\n", " ") == COMMANDS[name].about


def test_the_list_of_commands_imports_none_of_them():
    code = (
        "import sys; from affidavit.cli.app import run; run(['--help']); "
        "print([name for name in sys.modules if name.startswith('affidavit.') and 'cli' not in name], file=sys.stderr)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    assert "affidavit.errors" in told
    assert "affidavit.wiring" not in told
    assert "affidavit.check" not in told
