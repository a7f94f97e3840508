"""Words that say how something is asked and not what about. A query drops them; the index keeps every word.

English only: closed-class words (articles, pronouns, prepositions, conjunctions, auxiliaries: Quirk et al., A
Comprehensive Grammar of the English Language, 2.34 to 2.45) and the interrogatives. Words of other languages are
common enough in their pages for BM25 to weigh them near nothing by itself.
"""

_WORDS = """
a about above after again against all also although am an and any are as at be because been before being below
between both but by can could did do does doing down during each else ever every few for from further had has
have having he her here hers herself him himself his how however i if in into is it its itself just may me might
more most must my myself neither no nor not of off on once one only or other others our ours ourselves out over
own per same shall she should since so some such than that the their theirs them themselves then there these they
this those though through to too toward towards under until up upon us very was we were what whatever when where
whether which while who whom whose why will with within without would yet you your yours yourself yourselves
"""

STOPWORDS = frozenset(_WORDS.split())
