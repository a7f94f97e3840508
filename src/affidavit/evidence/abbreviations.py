"""Abbreviations whose full stop ends no sentence, beyond those `sentencex` knows. Data only; `sentences` reads them.

Collected by running `sentencex` 1.0.32 over ordinary sentences of each language and keeping what it cut wrongly.
Written as they stand before the full stop, in lower case, inner full stops kept. Only words that do not also end
sentences: a sentence end that is missed makes a span longer or shorter by a sentence, a false one cuts it in two.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# In a text of any language: titles and Latin connectors travel.
ANYWHERE = _words(
    "mr mrs ms messrs dr prof mme mlle e.g i.e cf viz vs approx incl esp gen gov sen rep rev col capt lt sgt hon "
    "sig dott sra mevr dhr"
)

# After which a title, a name or the rest of the phrase always follows.
BY_LANGUAGE: dict[str, frozenset[str]] = {
    language: _words(words)
    for language, words in {
        "ar": "د أ م",
        "cs": "ing mgr tzv např sv ul pí",
        "da": "hr fr bl.a f.eks jf ca pga mht",
        "de": "fa hr fr dipl ing vgl bzw evtl ggf sog inkl zzgl insb bspw z.b d.h u.a",
        "el": "κ κα κος π.χ δηλ καθ",
        "es": "sr sra srta sres dra d dña ud uds ee lic ing gral av avda pdte aprox fco",
        "fi": "esim ns mm tri fil",
        "fr": "m mm mmes mgr me pr ste p.ex c.-à-d env av",
        "hi": "डॉ डा श्री प्रो पं",
        "hu": "kb pl ún özv ifj",
        "it": "sig sigg sig.ra sig.na dott dott.ssa prof.ssa avv ing on egr gent spett geom es",
        "nb": "hr fr bl.a f.eks jf ca pga",
        "nl": "dhr mevr mw drs ir ing ds bijv bv resp m.n t.a.v ca jhr",
        "pl": "mgr inż ks ul al np tzn tzw im św hab płk",
        "pt": "sr sra dra profa exmo exma av eng",
        "ro": "dl dna ing nr str",
        "ru": "г ул им см ср напр акад проф гр св т.е т пр пл",
        "sv": "hr fr bl.a t.ex jfr ca s.k",
        "tr": "sn av doç yrd",
        "uk": "вул ім див напр проф акад св",
    }.items()
}

# After which a number follows; before anything else the full stop may end a sentence.
BEFORE_NUMBER = _words(
    """
    no nos nr nrs nº núm num n vol vols v ver p pp pg pág págs pag pagg s ss sec secs sect ch chap chaps fig figs eq eqs
    art arts para paras par abs ziff kap bd tab taf ref app ed ca c env aprox ungef ung bl blz kl str st
    стр рис табл гл ст д т п кв корп čl poz cap lib lit pos rn rz
    jan feb mar apr jun jul aug sep sept oct nov dec janv févr avr juil août déc ene abr ago dic
    gen mag giu lug set ott out dez okt mrt mär
    """
)

# Languages that write ordinal numbers with a full stop and capitalise the noun after them. (Where the noun is in
# lower case, the lower case itself says that the sentence goes on.)
ORDINAL_BEFORE_CAPITAL = frozenset({"de", "lb"})

# Words that begin sentences in those languages and never stand for what an ordinal counts.
SENTENCE_OPENERS = _words(
    """
    der die das den dem des ein eine einen einem einer es er sie wir ihr ich man in im an am auf bei mit nach von vom zu
    zum zur und aber doch auch als wenn weil da dann damit danach dort hier heute so seit um für durch dies diese dieser
    dieses jede jeder jedes kein keine nicht noch nur was wer wie wo warum bis ab aus über unter vor während trotz
    """
)
