"""What a text that names a time means, in English and French, as seen on Wednesday, 18 November 2026.

Written from the languages, before there were rules that read them.
"""

from datetime import date

TODAY = date(2026, 11, 18)

# The text, then its first and last day; `*` is an open end.
NAMED = """
today | 2026-11-18 | 2026-11-18
what did we decide yesterday about the roof | 2026-11-17 | 2026-11-17
the day after tomorrow | 2026-11-20 | 2026-11-20
what came up in the stand-up this morning | 2026-11-18 | 2026-11-18
last night | 2026-11-17 | 2026-11-17
what did I write 3 days ago | 2026-11-15 | 2026-11-15
a week ago yesterday | 2026-11-09 | 2026-11-15
the second quarter of the financial year | 2026-04-01 | 2026-06-30
what did I note on Friday the 13th? | 2026-11-13 | 2026-11-13
the first week of the second half of 2025 | 2025-07-01 | 2025-07-07
what is behind the “wall” of last week | 2026-11-09 | 2026-11-15
a couple of weeks ago | 2026-11-02 | 2026-11-08
a few days ago | 2026-11-12 | 2026-11-18
what did Marie say last week about the kiln? | 2026-11-09 | 2026-11-15
the week before last | 2026-11-02 | 2026-11-08
how much did we spend on heating last year? | 2025-01-01 | 2025-12-31
in the past two weeks | 2026-11-04 | 2026-11-18
during the past year | 2025-11-18 | 2026-11-18
the last few days | 2026-11-12 | 2026-11-18
what did we discuss Monday | 2026-11-16 | 2026-11-16
last Wednesday | 2026-11-11 | 2026-11-11
Thursday of last week | 2026-11-09 | 2026-11-15
since Tuesday | 2026-11-17 | 2026-11-18
what has changed since March? | 2026-03-01 | 2026-11-18
since yesterday | 2026-11-17 | 2026-11-18
since the beginning of the year | 2026-01-01 | 2026-11-18
before 2023 | * | 2022-12-31
before the end of the month | * | 2026-11-30
until yesterday | * | 2026-11-17
after June 3rd | 2026-06-04 | *
from September on | 2026-09-01 | *
what did we decide about the budget in April 2025? | 2025-04-01 | 2025-04-30
the May invoice | 2026-05-01 | 2026-05-31
The March report | 2026-03-01 | 2026-03-31
Jan. 2025 | 2025-01-01 | 2025-01-31
early April | 2026-04-01 | 2026-04-10
mid-March | 2026-03-11 | 2026-03-20
at the end of May | 2026-05-21 | 2026-05-31
late last week | 2026-11-12 | 2026-11-15
early 2025 | 2025-01-01 | 2025-03-31
at the end of last year | 2025-10-01 | 2025-12-31
the last week of March 2025 | 2025-03-25 | 2025-03-31
the first half of 2025 | 2025-01-01 | 2025-06-30
H2 2024 | 2024-07-01 | 2024-12-31
the 3rd of June | 2026-06-03 | 2026-06-03
June 3rd, 2025 | 2025-06-03 | 2025-06-03
on 12 Oct 2024 | 2024-10-12 | 2024-10-12
PV AG 2024 | 2024-01-01 | 2024-12-31
Tuesday, 3 June 2025 | 2025-06-03 | 2025-06-03
what happened on 2025-04-12? | 2025-04-12 | 2025-04-12
2025-04-12T09:30 | 2025-04-12 | 2025-04-12
the meeting of 03/04/2025 | 2025-04-03 | 2025-04-03
minutes of 04/25/2025 | 2025-04-25 | 2025-04-25
04/2025 | 2025-04-01 | 2025-04-30
the boat in 2025.12 | 2025-12-01 | 2025-12-31
Q3 | 2026-07-01 | 2026-09-30
Q1 2025 | 2025-01-01 | 2025-03-31
the third quarter of 2024 | 2024-07-01 | 2024-09-30
week 12 | 2026-03-16 | 2026-03-22
2025-W12 | 2025-03-17 | 2025-03-23
in 2024 | 2024-01-01 | 2024-12-31
in the 1990s | 1990-01-01 | 1999-12-31
last spring | 2026-03-01 | 2026-05-31
over the summer | 2026-06-01 | 2026-08-31
between March and May 2024 | 2024-03-01 | 2024-05-31
from April 2024 to March 2025 | 2024-04-01 | 2025-03-31
from Monday to Wednesday | 2026-11-16 | 2026-11-18
June 3-10 | 2026-06-03 | 2026-06-10
between the 3rd and the 10th of June | 2026-06-03 | 2026-06-10
between 28 May and 3 June | 2026-05-28 | 2026-06-03
in April and May 2025 | 2025-04-01 | 2025-05-31
qu'est-ce qui est prévu aujourd’hui ? | 2026-11-18 | 2026-11-18
hier soir | 2026-11-17 | 2026-11-17
avant-hier | 2026-11-16 | 2026-11-16
demain | 2026-11-19 | 2026-11-19
ce matin | 2026-11-18 | 2026-11-18
qu'avait-on décidé il y a deux mois ? | 2026-09-01 | 2026-09-30
il y a quelques jours | 2026-11-12 | 2026-11-18
qu'a dit Marie la semaine dernière sur le four ? | 2026-11-09 | 2026-11-15
les factures du mois dernier | 2026-10-01 | 2026-10-31
ce mois-ci | 2026-11-01 | 2026-11-30
l'année dernière | 2025-01-01 | 2025-12-31
le week-end dernier | 2026-11-14 | 2026-11-15
les 7 derniers jours | 2026-11-11 | 2026-11-18
ces trois derniers mois | 2026-08-18 | 2026-11-18
ces derniers jours | 2026-11-12 | 2026-11-18
lundi dernier | 2026-11-16 | 2026-11-16
qu'a-t-on dit vendredi ? | 2026-11-13 | 2026-11-13
jeudi de la semaine dernière | 2026-11-12 | 2026-11-12
depuis mardi | 2026-11-17 | 2026-11-18
depuis trois jours | 2026-11-15 | 2026-11-18
depuis le début de l'année | 2026-01-01 | 2026-11-18
avant 2023 | * | 2022-12-31
avant le 14 juillet | * | 2026-07-13
avant fin octobre | * | 2026-10-31
jusqu'en mars 2025 | * | 2025-03-31
après le 3 juin | 2026-06-04 | *
à partir de septembre | 2026-09-01 | *
qu'a-t-on décidé pour le budget en avril 2025 ? | 2025-04-01 | 2025-04-30
réunion de mars | 2026-03-01 | 2026-03-31
la planète mars en 2024 | 2024-01-01 | 2024-12-31
avril dernier | 2026-04-01 | 2026-04-30
en décembre prochain | 2026-12-01 | 2026-12-31
début avril | 2026-04-01 | 2026-04-10
à la mi-juin 2025 | 2025-06-11 | 2025-06-20
à la fin du mois de mai | 2026-05-21 | 2026-05-31
fin 2023 | 2023-10-01 | 2023-12-31
la première semaine d'avril | 2026-04-01 | 2026-04-07
la première quinzaine de mai | 2026-05-01 | 2026-05-15
que s'est-il passé le 14 juillet 2024 ? | 2024-07-14 | 2024-07-14
le premier juin 2025 | 2025-06-01 | 2025-06-01
3 févr. 2025 | 2025-02-03 | 2025-02-03
la réunion du 03/04/2025 | 2025-04-03 | 2025-04-03
T3 2025 | 2025-07-01 | 2025-09-30
au 1er trimestre 2025 | 2025-01-01 | 2025-03-31
la semaine 12 de 2025 | 2025-03-17 | 2025-03-23
le budget 2024 | 2024-01-01 | 2024-12-31
dans les années 90 | 1990-01-01 | 1999-12-31
au printemps dernier | 2026-03-01 | 2026-05-31
l'été 2024 | 2024-06-01 | 2024-08-31
l'hiver 2022-2023 | 2022-12-01 | 2023-02-28
entre mars et mai | 2026-03-01 | 2026-05-31
de janvier à mars 2025 | 2025-01-01 | 2025-03-31
du 3 au 10 juin | 2026-06-03 | 2026-06-10
d'avril 2024 à mars 2025 | 2024-04-01 | 2025-03-31
dans trois jours | 2026-11-21 | 2026-11-21
What happened between 5 and 9 May 2025? | 2025-05-05 | 2025-05-09
plans for next summer | 2027-06-01 | 2027-08-31
the years 2015 to 2017 | 2015-01-01 | 2017-12-31
letters sent after 15/09/2025 | 2025-09-16 | *
les notes de la semaine du 9 novembre | 2026-11-09 | 2026-11-15
dans la semaine du 2025-03-10 | 2025-03-10 | 2025-03-16
le dernier trimestre 2024 | 2024-10-01 | 2024-12-31
"""

# Texts that name no time.
UNNAMED = """
At the end of the day, what matters?
the second quarter of the apple pie
notes on Friday the 13th movie
the June bug in the garden
who wrote ‘last week’?
may I share this note with the client?
what may go wrong with the kiln
the march of progress
Theresa May and the Brexit vote
give me a second opinion
la seconde guerre mondiale
la planète Mars
python 1.2.3
an invoice of 2025 €
the meeting is at 16:30
06 12 34 56 78
how many days a week do we train?
deux jours par semaine
Mai Nguyen's address
"April 2025" in quotes
what does "last week" mean as a phrase
the film "2001: A Space Odyssey"
Blade Runner 2049
error 2003 from MySQL
3/4 cup of flour
192.168.1.10
every Monday
le lundi on court
Black Friday deals
last but not least
last minute changes
a quarter to nine
spring boot configuration
water the plants in summer
April Ludgate
appartement T3 à louer
the H1 heading of a note
2000 words about bees
on the same day
au début du projet
before the meeting
depuis le refus du prestataire
dix jours de congés par an
size 10-12 shoes
ticket 2023 is still open
commit 2025abc
the early bird
"""


def rows(table: str = NAMED) -> list[tuple[str, str, str]]:
    """Give each text with its two days as they are written above."""
    parts = [line.split(" | ") for line in table.strip().splitlines()]
    return [(text, first, last) for text, first, last in parts]
