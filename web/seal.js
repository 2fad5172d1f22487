"use strict";
/**
 * Closes the tab once the last asset is in memory: a second, tighter policy, the network's functions taken away, and
 * a guard on navigation. From here on only what the person drops comes in, and only what they save goes out.
 *
 * The policy is enforced by the browser. The rest is this project's own code in the way of its own mistakes: it does
 * not hold against a hostile script inside the page (a fresh about:blank frame has every function back), which is why
 * no text of a document or a model ever becomes markup. `protections` says which is which, for the page to show.
 */

/**
 * Replaces what can reach the network by functions that refuse and report. Self-contained: its source is also the
 * first statement of the engine worker and of every worker inside of it.
 * @param {(api: string, target: string) => void} report
 * @param {string[]} [kept] names left alone
 */
function removeNetwork(report, kept = []) {
  const scope = /** @type {any} */ (globalThis);
  /** @param {string} api */
  const refusal = (api) =>
    function (/** @type {any[]} */ ...args) {
      const target = String(args[0]?.url ?? args[0] ?? "").slice(0, 200);
      report(api, target);
      throw new TypeError(`${api} is switched off: nothing leaves this tab (asked for ${target || "nothing"}).`);
    };
  /** @param {any} owner @param {string} name @param {string} api */
  const replace = (owner, name, api) => {
    if (!owner || !(name in owner) || kept.includes(name)) return;
    const property = { value: refusal(api), writable: false, configurable: false };
    Object.defineProperty(owner, name, property);
  };
  const functions = ["fetch", "fetchLater", "open", "importScripts"];
  const constructors = ["XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "RTCPeerConnection"];
  const others = ["webkitRTCPeerConnection", "Worker", "SharedWorker", "PresentationRequest", "PaymentRequest", "Notification"];
  for (const name of [...functions, ...constructors, ...others]) replace(scope, name, name);
  replace(scope.Navigator?.prototype, "sendBeacon", "sendBeacon");
  for (const name of ["register"]) replace(scope.ServiceWorkerContainer?.prototype, name, "serviceWorker.register");
  for (const name of ["add", "addAll"]) replace(scope.Cache?.prototype, name, `caches.${name}`);
}

const seal = (() => {
  const POLICY =
    "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:; connect-src 'none'; style-src 'none'; " +
    "img-src blob: data:; form-action 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'";

  const protections = {
    enforced: [
      "No request by fetch, XMLHttpRequest, WebSocket, EventSource, WebTransport, beacon or link ping, from the page, the engine or the readers of files.",
      "No image, style, font, script, frame, form or media from any address, also not from the folder of this page.",
    ],
    ours: [
      "Opening windows and tabs, following links, starting downloads of anything but your own exports.",
      "WebRTC and address look-ups ahead of a link (preconnect, dns-prefetch): no browser policy covers them. The functions are removed, and no text from a document or a model is ever made into markup.",
      "Two doors that a script inside this page could open again: a fresh about:blank frame, and a click dispatched on a link outside the document. No text from a document or a model ever runs as a script.",
      "While a file's password is asked for on a page from a web server, the browser may ask its maker's server about that kind of field (Chromium does; nothing typed is in that request). On a page opened from disk it does not.",
    ],
  };

  /** @param {LedgerEntry[]} ledger */
  function watch(ledger) {
    document.addEventListener("securitypolicyviolation", (event) => {
      const target = event.blockedURI + (event.sample ? `: ${event.sample}` : "");
      ledger.push({ time: Date.now(), where: "page", api: event.effectiveDirective, target, by: "browser" });
    });
  }

  /** Adds the second policy. A worker made before this would keep the network: make the engine after it. */
  function tighten() {
    const meta = document.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = POLICY;
    document.head.append(meta);
  }

  /** @param {string} url */
  const isOwnSave = (url) => url.startsWith("blob:");

  /** @param {LedgerEntry[]} ledger */
  function guard(ledger) {
    /** @param {string} api @param {string} target */
    const report = (api, target) => ledger.push({ time: Date.now(), where: "page", api, target, by: "code" });
    removeNetwork(report);
    guardLinks(report);
    const navigation = /** @type {EventTarget | undefined} */ (/** @type {any} */ (globalThis).navigation);
    navigation?.addEventListener("navigate", (given) => {
      const event = /** @type {NavigationGuardEvent} */ (given);
      const { url, sameDocument } = event.destination;
      const saves = event.downloadRequest !== null && isOwnSave(url);
      if (sameDocument || saves || event.navigationType === "reload") return;
      event.preventDefault();
      report("navigate", url.slice(0, 200));
    });
  }

  /** @param {(api: string, target: string) => void} report */
  function guardLinks(report) {
    /** @param {Event} event */
    const stop = (event) => {
      const links = event.composedPath().filter((node) => node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement);
      for (const link of links) {
        const inside = link.getAttribute("href")?.startsWith("#") && !link.target && !link.ping;
        if (inside || !link.href || (link.hasAttribute("download") && isOwnSave(link.href))) continue;
        event.preventDefault();
        event.stopImmediatePropagation();
        report("link", link.href.slice(0, 200));
      }
    };
    for (const kind of ["click", "auxclick"]) addEventListener(kind, stop, { capture: true });
    for (const name of ["submit", "requestSubmit"]) {
      Object.defineProperty(HTMLFormElement.prototype, name, {
        value: () => report("form", name),
        writable: false,
        configurable: false,
      });
    }
  }

  return { watch, tighten, guard, protections };
})();
