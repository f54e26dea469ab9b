#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saratoga_fuzz::property::contests_never_panic(bytes));
