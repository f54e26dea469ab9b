#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saratoga_fuzz::property::scripts_stay_within_budget(bytes));
