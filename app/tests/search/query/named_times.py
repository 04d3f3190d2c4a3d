"""What a text that names a time means, in English and French, as seen on Wednesday, 18 November 2026.

Written from the languages, before there were rules that read them.
"""

from datetime import date

TODAY = date(2026, 11, 18)

# The text, then its first and last day; `*` is an open end.
NAMED = """
today | 2026-11-18 | 2026-11-18
what did we decide yesterday about the roof | 2026-11-17 | 2026-11-17
what came up in the stand-up this morning | 2026-11-18 | 2026-11-18
last night | 2026-11-17 | 2026-11-17
what did I note on Friday the 13th? | 2026-11-13 | 2026-11-13
the first week of the second half of 2025 | 2025-07-01 | 2025-07-07
a couple of weeks ago | 2026-11-02 | 2026-11-08
what did Marie say last week about the kiln? | 2026-11-09 | 2026-11-15
how much did we spend on heating last year? | 2025-01-01 | 2025-12-31
the last few days | 2026-11-12 | 2026-11-18
what did we discuss Monday | 2026-11-16 | 2026-11-16
last Wednesday | 2026-11-11 | 2026-11-11
what has changed since March? | 2026-03-01 | 2026-11-18
since the beginning of the year | 2026-01-01 | 2026-11-18
before the end of the month | * | 2026-11-30
until yesterday | * | 2026-11-17
after June 3rd | 2026-06-04 | *
from September on | 2026-09-01 | *
what did we decide about the budget in April 2025? | 2025-04-01 | 2025-04-30
The March report | 2026-03-01 | 2026-03-31
early April | 2026-04-01 | 2026-04-10
at the end of May | 2026-05-21 | 2026-05-31
late last week | 2026-11-12 | 2026-11-15
early 2025 | 2025-01-01 | 2025-03-31
the last week of March 2025 | 2025-03-25 | 2025-03-31
the first half of 2025 | 2025-01-01 | 2025-06-30
June 3rd, 2025 | 2025-06-03 | 2025-06-03
PV AG 2024 | 2024-01-01 | 2024-12-31
what happened on 2025-04-12? | 2025-04-12 | 2025-04-12
2025-04-12T09:30 | 2025-04-12 | 2025-04-12
the meeting of 03/04/2025 | 2025-04-03 | 2025-04-03
04/2025 | 2025-04-01 | 2025-04-30
Q3 | 2026-07-01 | 2026-09-30
Q1 2025 | 2025-01-01 | 2025-03-31
week 12 | 2026-03-16 | 2026-03-22
2025-W12 | 2025-03-17 | 2025-03-23
in 2024 | 2024-01-01 | 2024-12-31
in the 1990s | 1990-01-01 | 1999-12-31
last spring | 2026-03-01 | 2026-05-31
from April 2024 to March 2025 | 2024-04-01 | 2025-03-31
from Monday to Wednesday | 2026-11-16 | 2026-11-18
between the 3rd and the 10th of June | 2026-06-03 | 2026-06-10
in April and May 2025 | 2025-04-01 | 2025-05-31
qu'est-ce qui est prévu aujourd’hui ? | 2026-11-18 | 2026-11-18
avant-hier | 2026-11-16 | 2026-11-16
qu'avait-on décidé il y a deux mois ? | 2026-09-01 | 2026-09-30
qu'a dit Marie la semaine dernière sur le four ? | 2026-11-09 | 2026-11-15
les factures du mois dernier | 2026-10-01 | 2026-10-31
le week-end dernier | 2026-11-14 | 2026-11-15
les 7 derniers jours | 2026-11-11 | 2026-11-18
ces derniers jours | 2026-11-12 | 2026-11-18
qu'a-t-on dit vendredi ? | 2026-11-13 | 2026-11-13
jeudi de la semaine dernière | 2026-11-12 | 2026-11-12
depuis trois jours | 2026-11-15 | 2026-11-18
depuis le début de l'année | 2026-01-01 | 2026-11-18
avant le 14 juillet | * | 2026-07-13
avant fin octobre | * | 2026-10-31
après le 3 juin | 2026-06-04 | *
à partir de septembre | 2026-09-01 | *
qu'a-t-on décidé pour le budget en avril 2025 ? | 2025-04-01 | 2025-04-30
la planète mars en 2024 | 2024-01-01 | 2024-12-31
en décembre prochain | 2026-12-01 | 2026-12-31
à la mi-juin 2025 | 2025-06-11 | 2025-06-20
à la fin du mois de mai | 2026-05-21 | 2026-05-31
la première semaine d'avril | 2026-04-01 | 2026-04-07
la première quinzaine de mai | 2026-05-01 | 2026-05-15
que s'est-il passé le 14 juillet 2024 ? | 2024-07-14 | 2024-07-14
le premier juin 2025 | 2025-06-01 | 2025-06-01
la réunion du 03/04/2025 | 2025-04-03 | 2025-04-03
au 1er trimestre 2025 | 2025-01-01 | 2025-03-31
la semaine 12 de 2025 | 2025-03-17 | 2025-03-23
dans les années 90 | 1990-01-01 | 1999-12-31
au printemps dernier | 2026-03-01 | 2026-05-31
l'hiver 2022-2023 | 2022-12-01 | 2023-02-28
entre mars et mai | 2026-03-01 | 2026-05-31
du 3 au 10 juin | 2026-06-03 | 2026-06-10
d'avril 2024 à mars 2025 | 2024-04-01 | 2025-03-31
dans trois jours | 2026-11-21 | 2026-11-21
What happened between 5 and 9 May 2025? | 2025-05-05 | 2025-05-09
plans for next summer | 2027-06-01 | 2027-08-31
the years 2015 to 2017 | 2015-01-01 | 2017-12-31
les notes de la semaine du 9 novembre | 2026-11-09 | 2026-11-15
dans la semaine du 2025-03-10 | 2025-03-10 | 2025-03-16
le dernier trimestre 2024 | 2024-10-01 | 2024-12-31
"""

# Texts that name no time.
UNNAMED = """
notes on Friday the 13th movie
the June bug in the garden
who wrote ‘last week’?
what may go wrong with the kiln
Theresa May and the Brexit vote
la seconde guerre mondiale
an invoice of 2025 €
the meeting is at 16:30
06 12 34 56 78
deux jours par semaine
Mai Nguyen's address
"April 2025" in quotes
what does "last week" mean as a phrase
the film "2001: A Space Odyssey"
Blade Runner 2049
3/4 cup of flour
192.168.1.10
le lundi on court
Black Friday deals
last minute changes
spring boot configuration
water the plants in summer
April Ludgate
appartement T3 à louer
the H1 heading of a note
on the same day
au début du projet
before the meeting
depuis le refus du prestataire
dix jours de congés par an
size 10-12 shoes
ticket 2023 is still open
the early bird
"""


def rows(table: str = NAMED) -> list[tuple[str, str, str]]:
    """Give each text with its two days as they are written above."""
    parts = [line.split(" | ") for line in table.strip().splitlines()]
    return [(text, first, last) for text, first, last in parts]
