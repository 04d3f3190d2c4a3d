"""Units of measure, signs of currencies among them, in English and in French."""

from fractions import Fraction

# What a unit measures, and how many of the base unit it is.
UNITS: dict[str, tuple[str, Fraction]] = {
    word: (dimension, Fraction(factor))
    for dimension, factor, words in (
        ("percent", "1", "% percent"),
        ("point", "1", "pp points"),
        ("€", "1", "€ euro euros eur"),
        ("€", "0.01", "centime centimes"),
        ("$", "1", "$ dollar dollars usd"),
        ("£", "1", "£ gbp quid"),
        ("second", "1", "s sec secs second seconds seconde secondes"),
        ("second", "0.001", "ms millisecond milliseconds milliseconde millisecondes"),
        ("second", "60", "min mins minute minutes mn"),
        ("second", "3600", "h hr hrs hour hours heure heures"),
        ("second", "86400", "day days jour jours journée journées night nights nuit nuits"),
        ("second", "604800", "week weeks semaine semaines wk wks"),
        ("second", "1209600", "fortnight fortnights"),
        ("month", "1", "month months mois"),
        ("month", "3", "quarter quarters trimestre trimestres"),
        ("month", "12", "year years yr yrs an ans année années"),
        ("month", "120", "decade decades décennie décennies"),
        ("month", "1200", "century centuries siècle siècles"),
        ("metre", "1", "m metre metres meter meters mètre mètres"),
        ("metre", "0.001", "mm millimetre millimetres millimeter millimeters millimètre millimètres"),
        ("metre", "0.01", "cm centimetre centimetres centimeter centimeters centimètre centimètres"),
        ("metre", "1000", "km kilometre kilometres kilometer kilometers kilomètre kilomètres"),
        ("metre", "0.3048", "ft foot feet pied pieds"),
        ("metre", "0.0254", "inch inches pouce pouces"),
        ("metre", "1609.344", "mile miles mi"),
        ("m²", "1", "m² m2"),
        ("m³", "1", "m³ m3"),
        ("gram", "1", "g gram grams gramme grammes"),
        ("gram", "0.001", "mg milligram milligrams milligramme milligrammes"),
        ("gram", "1000", "kg kilo kilos kilogram kilograms kilogramme kilogrammes"),
        ("gram", "1000000", "tonne tonnes"),
        ("pound", "1", "lb lbs pounds"),
        ("litre", "1", "l litre litres liter liters"),
        ("litre", "0.1", "dl"),
        ("litre", "0.01", "cl"),
        ("litre", "0.001", "ml"),
        ("degree", "1", "° degree degrees degré degrés °c °f"),
        ("byte", "1", "byte bytes octet octets"),
        ("byte", "1000", "kb ko"),
        ("byte", "1000000", "mb mo"),
        ("byte", "1000000000", "gb go"),
        ("byte", "1000000000000", "tb to"),
        ("volt", "1", "v volt volts"),
        ("watt", "1", "w watt watts"),
        ("watt", "1000", "kw kilowatt kilowatts"),
        ("joule", "1", "joule joules"),
        ("knot", "1", "knot knots nœud nœuds"),
        ("page", "1", "page pages"),
        ("word", "1", "words mots"),
    )
    for word in words.split()
}  # fmt: skip
LETTERS = frozenset("%€$£°smhglLWV")
"""The units of one letter, as they are written."""
SHORT = {"s", "m", "g", "l", "w", "to", "go", "mo", "mi", "an", "min", "h", "v"}
"""Units that are words or letters of their own where no digit stands before them."""


def measures_of(unit: str, values: set[Fraction]) -> frozenset[tuple[str, Fraction]]:
    """Return what a unit measures, with each amount in the base unit."""
    of, factor = UNITS[unit.lower()]
    return frozenset((of, value * factor) for value in values)
