"""An amount as the kind of figure that the words around it make it."""

from affidavit.gates.numbers.amount import Amount
from affidavit.gates.numbers.counts import keep_single
from affidavit.gates.numbers.ratios import read_ratio
from affidavit.gates.numbers.reading import Reading
from affidavit.gates.numbers.spreads import read_range


def keep_figure(reading: Reading, amount: Amount, sentence: tuple[int, int]) -> None:
    floor = max(reading.at, sentence[0])
    ratio = read_ratio(reading, amount, sentence)
    if ratio:
        return
    if read_range(reading, amount, sentence, floor):
        return
    keep_single(reading, amount, sentence, floor)
