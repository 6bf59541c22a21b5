"""All programs that are made wrong, by name."""

from __future__ import annotations

from tests.mutants.conformance import (
    CATALOGUE_SUBJECTS,
    DEFAULTS,
    NORM_SUBJECTS,
    POINTWISE_SUBJECTS,
    REDUCE_SUBJECTS,
)
from tests.mutants.divided import DIVIDED_SUBJECTS
from tests.mutants.others import OTHER_SUBJECTS

CONFORMANCE_SUBJECTS = (*POINTWISE_SUBJECTS, *REDUCE_SUBJECTS, *NORM_SUBJECTS)
WRONG_SUBJECTS = (*CATALOGUE_SUBJECTS, *DEFAULTS, *CONFORMANCE_SUBJECTS)
SUBJECTS = {subject.name: subject for subject in (*WRONG_SUBJECTS, *OTHER_SUBJECTS, *DIVIDED_SUBJECTS)}
