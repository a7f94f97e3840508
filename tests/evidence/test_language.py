import pytest

from affidavit.evidence.language import guess_language, primary_subtag


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The hall was built by the council and it is still in use.", "en"),
        ("Das Haus wurde im Jahr 1932 gebaut und ist nicht mehr in Betrieb.", "de"),
        ("Le pont a été construit en 1932 et il est dans la ville.", "fr"),
        ("El puente fue construido en 1932 por los vecinos de la villa.", "es"),
        ("Il ponte è stato costruito nel 1932 e non è più in uso.", "it"),
        ("A ponte foi construída em 1932 e não é mais usada.", "pt"),
        ("De brug werd in 1932 gebouwd en is niet meer in gebruik.", "nl"),
        ("Bron byggdes och är inte det som den var för.", "sv"),
        ("He said no.", "en"),
        ("Most został zbudowany w 1932 i nie jest już w użyciu.", "pl"),
        ("Мост был построен в 1932 году и это не он.", "ru"),
        ("Міст був збудований у 1932 та є у місті.", "uk"),
        ("该桥于1932年开通，全长503米。", "zh"),
        ("この橋は1932年に開通した。", "ja"),
        ("다리는 1932년에 열렸다.", "ko"),
        ("افتتح الجسر في عام", "ar"),
        ("यह पुल खुला।", "hi"),
        ("Η γέφυρα άνοιξε", "el"),
        ("สะพานเปิด", "th"),
        ("", "en"),
        ("1932 - 503", "en"),
    ],
)
def test_a_sentence_is_enough_to_guess_by(text: str, language: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(
    ("tag", "subtag"),
    [("en-GB", "en"), ("DE", "de"), ("pt_BR", "pt"), (" fr ", "fr"), (None, None), ("", None), ("x-klingon", None)],
)
def test_the_primary_subtag_of_a_language_tag(tag: str | None, subtag: str | None) -> None:
    assert primary_subtag(tag) == subtag
