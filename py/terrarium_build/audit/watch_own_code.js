/**
 * Runs before the page's own scripts and notes in `auditSeen` whatever the page's code should never do: a window, a
 * connection, a link or an element with an address elsewhere, a handler or a frame made of markup, a navigation.
 * Allowed: downloads of the page's own blobs, and the files beside index.html while it loads.
 */
(() => {
  const scope = /** @type {any} */ (window);
  /** @type {string[]} */
  const seen = (scope.auditSeen = []);
  /** @param {string} what @param {unknown} target */
  const note = (what, target) => void seen.push(`${what} ${String(target).slice(0, 200)}`);

  const { click } = HTMLElement.prototype;
  HTMLElement.prototype.click = function () {
    const saves = this instanceof HTMLAnchorElement && this.hasAttribute("download") && this.href.startsWith("blob:");
    if (this instanceof HTMLAnchorElement && !saves) note("click", this.href);
    return click.call(this);
  };

  for (const name of ["open", "RTCPeerConnection", "webkitRTCPeerConnection"]) {
    const real = scope[name];
    if (!real) continue;
    scope[name] = function (/** @type {unknown[]} */ ...args) {
      note(name, args[0]);
      return new.target ? new real(...args) : real.apply(this, args);
    };
  }

  const ADDRESSES = ["src", "srcset", "href", "xlink:href", "action", "formaction", "data", "poster", "ping", "background"];
  const NEVER = ["IFRAME", "FRAME", "OBJECT", "EMBED", "BASE"];
  const OWN_FOLDER = new URL(".", location.href).href;
  const withoutHash = (/** @type {string} */ url) => url.replace(/#.*$/, "");

  /** @param {string} value @param {Element} element */
  function isOwn(value, element) {
    if (/^(blob|data|about):/.test(value)) return true;
    const { href } = new URL(value, location.href);
    const isPart = ["SCRIPT", "LINK"].includes(element.tagName) && href.startsWith(OWN_FOLDER);
    return isPart || withoutHash(href) === withoutHash(location.href);
  }

  /** @param {Element} element */
  function check(element) {
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? "";
      const elsewhere = ADDRESSES.includes(name) && value !== "" && !isOwn(value, element);
      if (elsewhere || name.startsWith("on")) note(`<${element.tagName.toLowerCase()} ${name}>`, value);
    }
    const refreshes = element instanceof HTMLMetaElement && element.httpEquiv.toLowerCase() === "refresh";
    if (NEVER.includes(element.tagName) || refreshes) note("element", element.tagName);
  }

  new MutationObserver((records) => {
    for (const { target, addedNodes, type } of records) {
      if (type === "attributes") check(/** @type {Element} */ (target));
      for (const node of addedNodes) if (node instanceof Element) [node, ...node.querySelectorAll("*")].forEach(check);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });

  scope.navigation?.addEventListener("navigate", (/** @type {any} */ event) => {
    const saves = event.downloadRequest !== null && event.destination.url.startsWith("blob:");
    if (!event.destination.sameDocument && event.navigationType !== "reload" && !saves) note("navigate", event.destination.url);
  });
})();
