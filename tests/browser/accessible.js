/**
 * What a person with a screen reader or weak eyes would miss on the page as it stands: controls without a name, and
 * texts whose contrast with their ground is under 4.5 to 1 (WCAG 2.2, 1.4.3). Disabled controls are exempt there.
 */
() => {
  /** @param {number} value */
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  /** @param {number[]} rgb */
  const luminance = ([red, green, blue]) => 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  /** @param {string} text */
  const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  /** @param {number[]} above @param {number[]} below */
  const over = ([r, g, b, alpha = 1], below) => [r, g, b].map((value, place) => value * alpha + below[place] * (1 - alpha));

  /** @param {Element | null} element @returns {number[]} */
  function ground(element) {
    if (!element) return [255, 255, 255];
    const colour = parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? ground(element.parentElement) : over(colour, ground(element.parentElement));
  }

  /** @param {Element} element */
  const opacity = (element) => {
    let product = 1;
    for (let one = element; one; one = one.parentElement) product *= Number(getComputedStyle(one).opacity);
    return product;
  };

  const visible = (/** @type {Element} */ element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameless = [...document.querySelectorAll("button, input, [role=textbox], summary, progress, dialog, [role=region]")]
    .filter((element) => visible(element))
    .filter((element) => {
      const label = element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.textContent?.trim();
      return !label && !/** @type {HTMLInputElement} */ (element).labels?.length;
    })
    .map((element) => element.outerHTML.slice(0, 120));

  const pale = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim();
    if (!text || !element || !visible(element) || element.closest(":disabled, script, style")) continue;
    const below = ground(element);
    const colour = parse(getComputedStyle(element).color);
    const [light, dark] = [luminance(over([colour[0], colour[1], colour[2], (colour[3] ?? 1) * opacity(element)], below)), luminance(below)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) pale.push(`${ratio.toFixed(2)} ${element.className}: ${text.slice(0, 40)}`);
  }
  return [nameless, pale];
};
