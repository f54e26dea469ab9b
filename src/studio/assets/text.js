// Texts in which no number is broken over two lines.

/** Puts a text into an element. A word with a digit in it stays whole: its sign, its currency and its unit. */
export function put(element, text) {
  element.replaceChildren(...text.split(/( )/).map((word) => {
    if (!/\d/.test(word)) return word;
    const whole = document.createElement('bdi');
    whole.className = 'whole';
    whole.textContent = word;
    return whole;
  }));
}
