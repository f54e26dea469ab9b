#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saratoga_fuzz::property::accepted_records_replay(bytes));
