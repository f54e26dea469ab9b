//! Rows that sum up others, by their labels.

/// First or last words of labels of summary rows. Words for totals may stand beside a name; words for other figures
/// may be names themselves (Max), so they count only alone or beside [`OTHER_WORDS`] and names of columns.
const TOTALS: &str = "total totals totale totali totales totaux totais totaal totalt subtotal subtotals subtotale subtotaal summe \
                      zwischensumme gesamt gesamtsumme gesamtergebnis ergebnis итого всего celkem razem łącznie összesen \
                      yhteensä toplam कुल योग المجموع סהכ";
const FIGURES: &str = "average avg count max maximum mean median min minimum sd std stddev stdev sum variance deviation σ ø \
                       durchschnitt mittelwert anzahl standardabweichung moyenne nombre promedio máximo mínimo média gemiddelde \
                       średnia среднее сумма suma somma soma summa 平均 合計 合计 总计 總計 総計 小計 小计 합계 총합계 รวม";
const OTHER_WORDS: &str = "a card de deck dev di each of per row rows standard the value values von";

/// Returns whether a cell labels a total, an average or the like, in a file with these columns.
pub(super) fn is_summary(cell: &str, columns: &[String]) -> bool {
    // The limit avoids parsing long notes.
    if cell.len() > 100 || cell.bytes().all(|b| !b.is_ascii_alphabetic() && b.is_ascii()) {
        return false;
    }
    let plain: String = cell.to_lowercase().chars().filter(|c| !"\"'״".contains(*c)).collect();
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_one = |words: &str, it: &str| words.split_whitespace().any(|word| word == it);
    let is_common = |it: &&str| {
        is_one(FIGURES, it)
            || is_one(OTHER_WORDS, it)
            || columns.iter().any(|name| name.to_lowercase() == **it)
    };
    let [Some(first), Some(last)] = [words.first(), words.last()] else { return false };
    let ends = |list: &str| is_one(list, first) || is_one(list, last);
    words.len() <= 4 && ends(TOTALS) || ends(FIGURES) && words.iter().all(is_common)
}
