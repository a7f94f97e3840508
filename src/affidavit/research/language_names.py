"""What a language is called in a prompt, by its code (ISO 639-1)."""

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {
    "am": "Amharic", "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "cs": "Czech", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French", "gu": "Gujarati", "hi": "Hindi",
    "hu": "Hungarian", "hy": "Armenian", "it": "Italian", "ja": "Japanese", "kn": "Kannada", "ko": "Korean",
    "ml": "Malayalam", "my": "Burmese", "nb": "Norwegian", "nl": "Dutch", "or": "Odia", "pa": "Punjabi", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "ta": "Tamil", "te": "Telugu", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
"""Those that `evidence.language` can tell."""
