#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saratoga_fuzz::property::decisions_depend_on_the_view_alone(bytes));
