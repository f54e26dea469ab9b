//! Reports of made-up figures: charts are well formed and drawn, pages stand alone, nothing panics.

mod samples;
