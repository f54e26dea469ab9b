#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saratoga_fuzz::property::block_files(bytes));
