"""Units of measure, signs of currencies among them, in English and in French."""

from collections.abc import Iterator
from fractions import Fraction

_BASES: dict[str, tuple[str, Fraction]] = {
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
        ("metre", "0.9144", "yd yard yards"),
        ("m²", "10000", "ha hectare hectares"),
        ("m²", "4046.86", "acre acres"),
        ("gram", "1", "g gram grams gramme grammes"),
        ("gram", "0.001", "mg milligram milligrams milligramme milligrammes"),
        ("gram", "0.000001", "µg microgram micrograms microgramme microgrammes"),
        ("gram", "1000", "kg kilo kilos kilogram kilograms kilogramme kilogrammes"),
        ("gram", "1000000", "tonne tonnes"),
        ("gram", "453.592", "lb lbs pounds"),
        ("gram", "28.3495", "oz ounce ounces once onces"),
        ("litre", "1", "l litre litres liter liters"),
        ("litre", "0.1", "dl decilitre decilitres décilitre décilitres"),
        ("litre", "0.01", "cl centilitre centilitres"),
        ("litre", "0.001", "ml millilitre millilitres milliliter milliliters"),
        ("litre", "100", "hl hectolitre hectolitres hectoliter hectoliters"),
        ("litre", "0.568261", "pint pints pinte pintes"),
        ("litre", "4.54609", "gallon gallons"),
        ("degree", "1", "° degree degrees degré degrés"),
        ("celsius", "1", "°c celsius"),
        ("fahrenheit", "1", "°f fahrenheit"),
        ("byte", "1", "byte bytes octet octets"),
        ("byte", "1000", "kb ko"),
        ("byte", "1000000", "mb mo"),
        ("byte", "1000000000", "gb go"),
        ("byte", "1000000000000", "tb to"),
        ("volt", "1", "v volt volts"),
        ("volt", "0.001", "mv"),
        ("watt", "1", "w watt watts"),
        ("watt", "1000", "kw kilowatt kilowatts"),
        ("watt", "1000000", "mw megawatt megawatts mégawatt mégawatts"),
        ("watt-hour", "1", "wh"),
        ("watt-hour", "1000", "kwh"),
        ("watt-hour", "1000000", "mwh"),
        ("joule", "1", "joule joules"),
        ("joule", "1000", "kj"),
        ("calorie", "1", "kcal calorie calories"),
        ("metre a second", "1", "m/s"),
        ("metre a second", "5/18", "km/h kmh"),
        ("metre a second", "0.44704", "mph"),
        ("knot", "1", "knot knots nœud nœuds"),
        ("pascal", "1", "pa pascal pascals"),
        ("pascal", "100", "hpa hectopascal hectopascals mbar millibar millibars"),
        ("pascal", "100000", "bar bars"),
        ("pascal", "6894.76", "psi"),
        ("decibel", "1", "db decibel decibels décibel décibels"),
        ("hertz", "1", "hz hertz"),
        ("hertz", "1000", "khz kilohertz"),
        ("hertz", "1000000", "mhz megahertz mégahertz"),
        ("hertz", "1000000000", "ghz gigahertz"),
        ("lux", "1", "lux"),
        ("franc", "1", "chf franc francs"),
        ("yen", "1", "¥ yen yens"),
        ("page", "1", "page pages"),
        ("word", "1", "words mots"),
    )
    for word in words.split()
}  # fmt: skip


def _squared_and_cubed() -> Iterator[tuple[str, tuple[str, Fraction]]]:
    """Yield the areas and volumes that are named after lengths: "square feet", "mètres cubes", "cm²"."""
    for word, (of, factor) in _BASES.items():
        if of != "metre":
            continue
        area, volume = ("m²", factor**2), ("litre", factor**3 * 1000)
        yield from ((f"{word}{sign}", area) for sign in ("²", "2", " carré", " carrés"))
        yield from ((f"{before}{word}", area) for before in ("square ", "sq ", "sq. ", "sq"))
        yield from ((f"{word}{sign}", volume) for sign in ("³", "3", " cube", " cubes"))
        yield from ((f"{before}{word}", volume) for before in ("cubic ", "cu ", "cu. "))


UNITS = dict(_squared_and_cubed()) | _BASES
"""What a unit measures, and how many of the base unit it is."""
LETTERS = frozenset("%€$£°smhglLWV")
"""The units of one letter, as they are written."""
SHORT = {"s", "m", "g", "l", "w", "to", "go", "mo", "mi", "an", "min", "h", "v"}
"""Units that are words or letters of their own where no digit stands before them."""


ROUNDED = Fraction(2, 100)
"""How far an amount may lie from one in other units, as a share: people round what they convert."""
MONTH_ROUNDED = Fraction(8, 100)
"""The same between weeks and months, which are no exact multiples."""
MONTH_SECONDS = 2_629_800


def measures_of(unit: str, values: set[Fraction]) -> frozenset[tuple[str, Fraction]]:
    """Return what a unit measures, with each amount in the base unit.

    Degrees without a name may be either's; those of Fahrenheit are given in Celsius too.
    """
    of, factor = UNITS[unit.lower()]
    found = {(of, value * factor) for value in values}
    if of == "degree":
        found |= {(each, value) for value in values for each in ("celsius", "fahrenheit")}
    if of == "fahrenheit":
        found |= {("celsius", (value - 32) * Fraction(5, 9)) for value in values}
    return frozenset(found)


def is_converted(of: str, own: Fraction, unit: str, of_other: str, other: Fraction, other_unit: str) -> bool:
    """Return whether two amounts, each in its base unit, are the same but for the rounding of a conversion.

    Units of one system, such as grams and kilograms, have to agree exactly.
    """
    if {of, of_other} == {"second", "month"}:
        own, other = (each * (MONTH_SECONDS if which == "month" else 1) for each, which in
                      ((own, of), (other, of_other)))  # fmt: skip
        return abs(own - other) <= own * MONTH_ROUNDED
    if of == of_other == "percent" and not (unit and other_unit):
        # A third is 33 %.
        return abs(own - other) < 1
    if of != of_other or not unit or not other_unit or unit == other_unit:
        return False
    if of == "celsius" and "fahrenheit" in (UNITS[unit][0], UNITS[other_unit][0]):
        return abs(own - other) <= Fraction(1, 2)
    ratio = UNITS[unit][1] / UNITS[other_unit][1]
    is_same_system = ratio.denominator == 1 or ratio.numerator == 1
    return not is_same_system and abs(own - other) <= abs(own) * ROUNDED
