"""Drafts in other languages beside sources in the same one: what is certified there, and what is not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from affidavit.check import CheckSource
from affidavit.check.languages import in_other_script, is_sentence_of, rules_know
from affidavit.evidence.check import Check, CheckedSentence

CHINESE = (
    "港口大桥于1902年由艾达·马什开放。它可以承载40吨的重量。该桥没有在战争中被毁。"
    "市长说：“我们为这座桥感到非常骄傲，它属于所有人。”"
)
JAPANESE = (
    "港の橋は1902年にエイダ・マーシュによって開通した。橋は40トンまで支える。この橋は戦争で壊されなかった。"
    "市長は「私たちはこの橋をとても誇りに思っています」と述べた。人口は1.2万人である。"
)
ARABIC = (
    "افتتحت آدا مارش جسر الميناء في عام ١٩٠٢. يتحمل الجسر ٤٠ طنا. لم يدمر الجسر في الحرب. "
    "قال العمدة: «نحن فخورون جدا بهذا الجسر القديم»."
)
THAI = (
    "สะพานท่าเรือเปิดโดยเอดา มาร์ชในปี 1902 และรับน้ำหนักได้ 40 ตัน\n\nสะพานนี้ไม่ถูกทำลายในสงคราม\n\n"
    "นายกเทศมนตรีกล่าวว่า “เราภูมิใจกับสะพานเก่าแก่แห่งนี้มาก”"
)
HINDI = (
    "बंदरगाह का पुल 1902 में एडा मार्श ने खोला था। यह 40 टन भार सह सकता है। युद्ध में पुल नष्ट नहीं हुआ। "
    "महापौर ने कहा, “हमें इस पुराने पुल पर बहुत गर्व है।” लागत 5 करोड़ रुपये थी।"
)
GERMAN = (
    "Die Hafenbrücke wurde 1902 von Ada Marsh eröffnet. Sie trägt 1.234,5 Tonnen. Die Brücke wurde im Krieg nicht "
    "zerstört. Der Bürgermeister sagte: „Wir sind sehr stolz auf diese alte Brücke.“ Der Bau kostete 3,5 Millionen "
    "Euro."
)
FRENCH = (
    "Le pont du port a été ouvert par Ada Marsh en 1902. Il porte 1\u202f234,5 tonnes. Le pont n'a pas été détruit "
    "pendant la guerre. Le maire a dit : «\u00a0Nous sommes très fiers de ce vieux pont.\u00a0»"
)
SPANISH = (
    "El puente del puerto fue inaugurado por Ada Marsh en 1902. Soporta 1.234,5 toneladas. El puente no fue destruido "
    "en la guerra. El alcalde dijo: «Estamos muy orgullosos de este viejo puente»."
)
RUSSIAN = (
    "Портовый мост был открыт Адой Марш в 1902 году. Он выдерживает 1 234,5 тонны. Мост не был разрушен во время "
    "войны. Мэр сказал: «Мы очень гордимся этим старым мостом». Строительство стоило 3,5 млн рублей."
)
POLISH = (
    "Most portowy został otwarty przez Adę Marsh w 1902 roku. Most nie został zniszczony w czasie wojny. Burmistrz "
    "powiedział, że wszyscy są bardzo dumni z tego starego mostu."
)
VIETNAMESE = (
    "Cầu cảng được Ada Marsh khánh thành vào năm 1902. Cây cầu không bị phá hủy trong chiến tranh. Thị trưởng nói rằng "
    "mọi người rất tự hào về cây cầu cũ này của thành phố."
)
TURKISH = "Liman köprüsü 1902 yılında Ada Marsh tarafından açıldı. Köprü savaşta hiç yıkılmadı. Köprü 40 ton taşır."

VERBATIM = (
    (CHINESE, "港口大桥于1902年由艾达·马什开放。"),
    (CHINESE, "该桥没有在战争中被毁。"),
    (CHINESE, "市长说：“我们为这座桥感到非常骄傲，它属于所有人。”"),
    (JAPANESE, "この橋は戦争で壊されなかった。"),
    (JAPANESE, "市長は「私たちはこの橋をとても誇りに思っています」と述べた。"),
    (ARABIC, "افتتحت آدا مارش جسر الميناء في عام ١٩٠٢."),
    (ARABIC, "قال العمدة: «نحن فخورون جدا بهذا الجسر القديم»."),
    (THAI, "สะพานท่าเรือเปิดโดยเอดา มาร์ชในปี 1902 และรับน้ำหนักได้ 40 ตัน"),
    (THAI, "นายกเทศมนตรีกล่าวว่า “เราภูมิใจกับสะพานเก่าแก่แห่งนี้มาก”"),
    (HINDI, "युद्ध में पुल नष्ट नहीं हुआ।"),
    (HINDI, "महापौर ने कहा, “हमें इस पुराने पुल पर बहुत गर्व है।”"),
    (HINDI, "लागत 5 करोड़ रुपये थी।"),
    (GERMAN, "Die Brücke wurde im Krieg nicht zerstört."),
    (GERMAN, "Der Bürgermeister sagte: „Wir sind sehr stolz auf diese alte Brücke.“"),
    (GERMAN, "Sie trägt 1.234,5 Tonnen."),
    (FRENCH, "Le maire a dit : «\u00a0Nous sommes très fiers de ce vieux pont.\u00a0»"),
    (FRENCH, "Il porte 1\u202f234,5 tonnes."),
    (SPANISH, "El alcalde dijo: «Estamos muy orgullosos de este viejo puente»."),
    (RUSSIAN, "Мэр сказал: «Мы очень гордимся этим старым мостом»."),
    (VIETNAMESE, "Cây cầu không bị phá hủy trong chiến tranh."),
)
REJECTED = (
    (CHINESE, "它可以承载70吨的重量。"),
    (CHINESE, "市长说：“我们为这座桥感到非常羞耻，它属于所有人。”"),
    (JAPANESE, "人口は1.2億人である。"),
    (JAPANESE, "市長は「私たちはこの橋をとても恥じています」と述べた。"),
    (ARABIC, "يتحمل الجسر ٧٠ طنا."),
    (ARABIC, "قال العمدة: «نحن نادمون جدا على هذا الجسر القديم»."),
    (THAI, "สะพานท่าเรือเปิดโดยเอดา มาร์ชในปี 1902 และรับน้ำหนักได้ 70 ตัน"),
    (THAI, "นายกเทศมนตรีกล่าวว่า “เราอับอายกับสะพานเก่าแก่แห่งนี้มาก”"),
    (HINDI, "यह 70 टन भार सह सकता है।"),
    (GERMAN, "Sie trägt 12.345 Tonnen."),
    (GERMAN, "Der Bau kostete 3,5 Milliarden Euro."),
    (GERMAN, "Der Bürgermeister sagte: „Wir schämen uns sehr für diese alte Brücke.“"),
    (GERMAN, "Die Brücke wurde im Krieg zerstört."),
    (FRENCH, "Le pont a été détruit pendant la guerre."),
    (FRENCH, "Le maire a dit : « Nous avons honte de ce vieux pont. »"),
    (SPANISH, "El puente fue destruido en la guerra."),
    (RUSSIAN, "Мост был разрушен во время войны."),
    (RUSSIAN, "Мэр сказал: «Мы очень стыдимся этого старого моста»."),
)
# Nothing in them is blocked by a rule that knows the language, so nothing may be certified either.
NOT_CERTIFIED = (
    (CHINESE, "该桥在战争中被毁。"),
    (JAPANESE, "この橋は戦争で壊された。"),
    (ARABIC, "دمر الجسر في الحرب."),
    (THAI, "สะพานนี้ถูกทำลายในสงคราม"),
    (HINDI, "युद्ध में पुल नष्ट हुआ।"),
    (HINDI, "लागत 5 लाख रुपये थी।"),
    (POLISH, "Most został zniszczony w czasie wojny."),
    (VIETNAMESE, "Cây cầu bị phá hủy trong chiến tranh."),
    (TURKISH, "Köprü savaşta yıkıldı."),
    (GERMAN, "Die Hafenbrücke soll 1902 von Ada Marsh eröffnet werden."),
)


def judged(checked: Callable[..., Check], page: str, claim: str) -> CheckedSentence:
    check = checked(f"{claim}\n", page)
    assert check.draft_text == f"{claim}\n"
    (sentence,) = check.claims
    assert claim[sentence.start : sentence.end] == sentence.text
    return sentence


@pytest.mark.parametrize(("page", "claim"), VERBATIM)
def test_a_sentence_of_the_source_is_sourced_in_any_language(checked: Callable[..., Check], page: str, claim: str):
    assert judged(checked, page, claim).state == "sourced"


@pytest.mark.parametrize(("page", "claim"), REJECTED)
def test_a_false_figure_quotation_or_denial_that_rules_know_is_rejected(
    checked: Callable[..., Check], page: str, claim: str
):
    assert judged(checked, page, claim).state == "rejected"


@pytest.mark.parametrize(("page", "claim"), NOT_CERTIFIED)
def test_what_rules_cannot_tell_in_a_language_is_not_certified(checked: Callable[..., Check], page: str, claim: str):
    assert judged(checked, page, claim).state != "sourced"


def test_a_claim_in_another_language_than_its_source_is_never_certified(checked: Callable[..., Check]):
    english = "The harbour bridge was opened by Ada Marsh in 1902. It carries 40 tonnes."
    for _, claim in (*VERBATIM, *NOT_CERTIFIED):
        for sentence in checked(claim, english).claims:
            assert sentence.state != "sourced"


@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH, RUSSIAN, POLISH])
def test_the_rules_know_some_languages(source: Callable[..., CheckSource], text: str):
    assert rules_know(source(text).document)


@pytest.mark.parametrize("text", [CHINESE, JAPANESE, ARABIC, THAI, HINDI, VIETNAMESE])
def test_of_other_languages_the_rules_know_nothing(source: Callable[..., CheckSource], text: str):
    assert not rules_know(source(text).document)


def test_a_page_that_says_what_it_is_written_in_is_believed(source: Callable[..., CheckSource]):
    document = source("Daraja lilifunguliwa 1902.").document
    assert rules_know(document)
    assert not rules_know(replace(document, language="sw"))


def test_a_claim_is_a_sentence_of_a_passage_only_whole():
    passage = "有人说该桥在战争中被毁。这不是真的。"
    assert is_sentence_of("这不是真的", passage)
    assert is_sentence_of(passage, passage)
    assert not is_sentence_of("该桥在战争中被毁。", passage)
    assert not is_sentence_of("。", passage)


def test_a_foreign_name_makes_no_other_script():
    assert not in_other_script("The rule of Ωμέγα was kept by all of them.")
    assert in_other_script("該橋在戰爭中 was shut")
