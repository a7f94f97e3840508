"""Checkpoints of torch: small ones, trained here for a few steps, so that a test fails where they are read wrongly.

They need torch and transformers, which no lock of this repository holds: ``pip install "affidavit[models]"``.
"""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from affidavit.errors import IntegrityError, MissingExtra, UserError
from affidavit.models.checkpoint import Checkpoint, Reading, load_spec
from affidavit.models.checkpoint.graphs import torch_graph
from affidavit.models.checkpoint.spec import Head

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("transformers") is None,
    reason='needs torch and transformers: pip install "affidavit[models]"',
)
WORDS = "the lamp was lit at dusk keeper came home mill closed not river rose fast by noon gold".split()
PLAIN = [word for word in WORDS if word != "not"]
VOCABULARY = {word: index for index, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
LABELS = {"yes": "SUPPORTED", "no": "NOT_SUPPORTED"}
DENIED = "the lamp was not lit at dusk"
SAID = "the lamp was lit at dusk"
STEPS = 60

Describe = Callable[..., Path]


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer


def _config(**entries: object) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
        **entries,
    )


def _train(model: Any, batch: Callable[[random.Random], tuple[Sequence[Any], Sequence[Any]]], folder: Path) -> Path:
    """Train on what `batch` gives (encodings of one length, labels), and lay the checkpoint down in `folder`."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    chance = random.Random(1)
    for _ in range(STEPS):
        encodings, labels = batch(chance)
        inputs = {
            "input_ids": torch.tensor([one.ids for one in encodings]),
            "token_type_ids": torch.tensor([one.type_ids for one in encodings]),
        }
        model(**inputs, labels=torch.tensor(labels)).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder, safe_serialization=True)
    _tokenizer().save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Torch's threads wait for one another where other work runs."""
    if find_spec("torch") is not None:
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(1)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Says no exactly where its first text holds "not", whatever its second holds."""
    from transformers import BertForSequenceClassification

    tokenizer = _tokenizer()

    def batch(chance: random.Random) -> tuple[Sequence[Any], Sequence[int]]:
        texts = [[chance.sample(PLAIN, 6) for _ in range(2)] for _ in range(32)]
        for pair in texts:
            for text in pair:
                if chance.random() < 0.5:
                    text[chance.randrange(6)] = "not"
        return [tokenizer.encode(" ".join(a), " ".join(b)) for a, b in texts], [int("not" in a) for a, _ in texts]

    config = _config(id2label={0: "yes", 1: "no"}, label2id={"yes": 0, "no": 1})
    return _train(BertForSequenceClassification(config), batch, tmp_path_factory.mktemp("torch") / "pairs")


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Says no to every token "gold" of its second text."""
    from transformers import BertForTokenClassification

    tokenizer = _tokenizer()

    def batch(chance: random.Random) -> tuple[Sequence[Any], Sequence[Sequence[int]]]:
        often = [*PLAIN, "gold", "gold", "gold"]
        found = [tokenizer.encode(*(" ".join(chance.choices(often, k=6)) for _ in "12")) for _ in range(32)]
        gold = VOCABULARY["gold"]
        labels = [
            [int(token == gold and kind == 1) for token, kind in zip(one.ids, one.type_ids, strict=True)]
            for one in found
        ]
        return found, labels

    config = _config(id2label={0: "yes", 1: "no"}, label2id={"yes": 0, "no": 1})
    return _train(BertForTokenClassification(config), batch, tmp_path_factory.mktemp("torch") / "tokens")


def load(spec: Path) -> Checkpoint:
    return Checkpoint(load_spec(spec))


def read(checkpoint: Checkpoint, claim: str, span: str) -> Reading:
    found = checkpoint.read(claim, span)
    assert found is not None
    return found


@needs_torch
def test_the_span_is_read_first_and_the_claim_second(describe: Describe, pairs: Path):
    checkpoint = load(describe(pairs, labels=LABELS))
    assert read(checkpoint, DENIED, SAID).supported > 0.9
    assert read(checkpoint, SAID, DENIED).not_supported > 0.9


@needs_torch
def test_a_template_turns_them_round(describe: Describe, pairs: Path):
    checkpoint = load(describe(pairs, labels=LABELS, input={"first": "{claim}", "second": "{span}"}))
    assert read(checkpoint, DENIED, SAID).not_supported > 0.9
    assert read(checkpoint, SAID, DENIED).supported > 0.9


@needs_torch
def test_a_prompt_may_hold_both_in_one_text(describe: Describe, pairs: Path):
    checkpoint = load(describe(pairs, labels=LABELS, input={"first": "{claim} {span}", "second": ""}))
    assert read(checkpoint, SAID, SAID).supported > 0.9
    assert read(checkpoint, DENIED, SAID).not_supported > 0.9


@needs_torch
def test_a_single_score_is_read_as_a_chance(describe: Describe, tmp_path: Path):
    from transformers import BertForSequenceClassification

    model = BertForSequenceClassification(_config(num_labels=1))
    model.classifier.weight.data.zero_()
    model.classifier.bias.data.fill_(2.0)
    model.save_pretrained(tmp_path / "single")
    _tokenizer().save(str(tmp_path / "single" / "tokenizer.json"))
    found = read(load(describe(tmp_path / "single", labels={"LABEL_0": "SUPPORTED"})), SAID, SAID)
    assert found.supported == pytest.approx(0.8808, abs=1e-4)
    assert found.not_supported == pytest.approx(0.1192, abs=1e-4)


@needs_torch
def test_a_token_head_says_which_words_the_span_has_not(describe: Describe, tokens: Path):
    checkpoint = load(describe(tokens, labels=LABELS, head="tokens"))
    claim = "the keeper came by gold river"
    found = read(checkpoint, claim, "the gold lamp was lit at dusk")
    assert [claim[start:end] for start, end, score in found.tokens if score < 0.5] == ["gold"]
    assert [claim[start:end] for start, end, _ in found.tokens] == claim.split()
    assert found.supported < 0.1
    assert read(checkpoint, SAID, "the gold lamp").supported > 0.9


@needs_torch
def test_weights_cut_into_several_files_are_put_together(describe: Describe, pairs: Path, tmp_path: Path):
    from transformers import BertForSequenceClassification

    BertForSequenceClassification.from_pretrained(pairs).save_pretrained(tmp_path / "cut", max_shard_size="8KB")
    shutil.copy(pairs / "tokenizer.json", tmp_path / "cut")
    (tmp_path / "cut" / "model.safetensors.index.json").unlink()
    assert len(list((tmp_path / "cut").glob("*.safetensors"))) > 2
    found = read(load(describe(tmp_path / "cut", labels=LABELS)), SAID, DENIED)
    assert found == read(load(describe(pairs, labels=LABELS)), SAID, DENIED)


@needs_torch
def test_weights_of_half_precision_are_read(describe: Describe, pairs: Path, tmp_path: Path):
    from transformers import BertForSequenceClassification

    BertForSequenceClassification.from_pretrained(pairs).half().save_pretrained(tmp_path / "half")
    shutil.copy(pairs / "tokenizer.json", tmp_path / "half")
    assert read(load(describe(tmp_path / "half", labels=LABELS)), SAID, DENIED).not_supported > 0.9


@needs_torch
def test_weights_without_the_head_are_refused(describe: Describe, pairs: Path, tmp_path: Path):
    from transformers import BertModel

    BertModel.from_pretrained(pairs).save_pretrained(tmp_path / "headless")
    shutil.copy(pairs / "tokenizer.json", tmp_path / "headless")
    shutil.copy(pairs / "config.json", tmp_path / "headless")
    with pytest.raises(UserError, match=r"classifier\.bias, classifier\.weight would be random"):
        load(describe(tmp_path / "headless", labels=LABELS))


@needs_torch
def test_altered_weights_are_refused(describe: Describe, pairs: Path, tmp_path: Path):
    folder = shutil.copytree(pairs, tmp_path / "altered")
    spec = describe(folder, labels=LABELS)
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    with pytest.raises(IntegrityError, match=r"model\.safetensors: its sha256 is"):
        load(spec)


@needs_torch
def test_pickled_weights_beside_the_others_are_never_opened(describe: Describe, pairs: Path, tmp_path: Path):
    folder = shutil.copytree(pairs, tmp_path / "beside")
    (folder / "pytorch_model.bin").write_bytes(b"no pickle")
    (folder / "modeling_own.py").write_text("raise SystemExit('code of the checkpoint ran')")
    config = json.loads((folder / "config.json").read_text())
    config["auto_map"] = {"AutoModelForSequenceClassification": "modeling_own.Own"}
    (folder / "config.json").write_text(json.dumps(config))
    assert read(load(describe(folder, labels=LABELS)), SAID, DENIED).not_supported > 0.9


@needs_torch
@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"model_type": "own"}, "model_type 'own' is none that transformers .* is never run"),
        ({"quantization_config": {"quant_method": "gptq"}}, "quantised for another runtime"),
        ({"model_type": "vit"}, "vit"),
    ],
)
def test_an_architecture_that_would_need_other_code_is_refused(
    describe: Describe, pairs: Path, tmp_path: Path, entries: dict[str, object], told: str
):
    folder = shutil.copytree(pairs, tmp_path / "other")
    config = json.loads((folder / "config.json").read_text()) | entries
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(UserError, match=told):
        load(describe(folder, labels=LABELS))


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_without_torch_it_names_the_command_that_installs_it(tmp_path: Path):
    with pytest.raises(MissingExtra, match=r'pip install "affidavit\[models\]"'):
        torch_graph({"model_type": "bert"}, [tmp_path / "model.safetensors"], Head.PAIRS)
