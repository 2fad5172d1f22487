/**
 * Every way of reaching the network that a page or a worker has, tried at once against one attacker.
 *
 * Evaluates to a function. Each channel asks for `base` + "/" + its own name; the result says for each how it ended:
 * "done" or an error's message. Whether anything arrived is for the attacker to say, not for this script.
 */
async (/** @type {string} */ base) => {
  const scope = /** @type {any} */ (globalThis);
  const LIMIT_MS = 2000;

  /** @param {any} target @param {string[]} good */
  const settles = (target, ...good) =>
    new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      for (const name of good) target.addEventListener(name, () => resolve());
      target.addEventListener("error", (/** @type {any} */ event) => reject(new Error(event.message || "an error event")));
    });

  /** @type {Record<string, (url: string) => any>} */
  const everywhere = {
    fetch: (url) => scope.fetch(url, { mode: "no-cors" }),
    "fetch-keepalive": (url) => scope.fetch(url, { mode: "no-cors", keepalive: true, method: "POST", body: "x" }),
    XMLHttpRequest: (url) => {
      const request = new scope.XMLHttpRequest();
      request.open("GET", url);
      request.send();
      return settles(request, "load");
    },
    WebSocket: (url) => settles(new scope.WebSocket(url.replace("http", "ws")), "open"),
    EventSource: (url) => settles(new scope.EventSource(url), "open"),
    // Told by its UDP packets: nothing else in this list sends any.
    WebTransport: (url) => {
      const serverCertificateHashes = [{ algorithm: "sha-256", value: new Uint8Array(32) }];
      return new scope.WebTransport(url.replace("http:", "https:"), { serverCertificateHashes }).ready;
    },
    import: (url) => import(url),
    // An address of another origin is refused by every browser, policy or not; a blob that reads one is not.
    worker: (url) => {
      const source = `importScripts(${JSON.stringify(url)}); postMessage(1)`;
      return settles(new scope.Worker(URL.createObjectURL(new Blob([source]))), "message");
    },
  };
  /** @type {Record<string, (url: string) => any>} */
  const inWorkers = {
    importScripts: (url) => scope.importScripts(url),
  };

  /** @param {string} tag @param {Record<string, string>} attributes */
  const add = (tag, attributes) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.body.append(made);
    return /** @type {any} */ (made);
  };
  /** @param {string} tag @param {Record<string, string>} attributes */
  const load = (tag, attributes) => settles(add(tag, attributes), "load", "loadeddata");
  const svgImage = (/** @type {string} */ url) => {
    const [svg, image] = ["svg", "image"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    /** @type {Element} */ (image).setAttribute("href", url);
    /** @type {Element} */ (svg).append(/** @type {Element} */ (image));
    document.body.append(/** @type {Element} */ (svg));
  };
  const html = (/** @type {string} */ source) => URL.createObjectURL(new Blob([source], { type: "text/html" }));

  /** @type {Record<string, (url: string) => any>} */
  const inPages = {
    beacon: (url) => {
      if (!navigator.sendBeacon(url, "x")) throw new Error("refused");
    },
    image: (url) => load("img", { src: url }),
    "image-srcset": (url) => load("img", { srcset: `${url} 1x` }),
    "image-css": (url) => void (add("div", {}).style.background = `url("${url}")`),
    "image-svg": svgImage,
    style: (url) => load("link", { rel: "stylesheet", href: url }),
    "style-import": (url) => void (add("style", {}).textContent = `@import url("${url}");`),
    font: (url) => new FontFace("audit", `url("${url}")`).load(),
    script: (url) => load("script", { src: url }),
    "script-module": (url) => load("script", { type: "module", src: url }),
    video: (url) => load("video", { src: url, preload: "auto" }),
    object: (url) => load("object", { data: url, type: "text/html" }),
    frame: (url) => load("iframe", { src: url }),
    "frame-srcdoc-image": (url) => load("iframe", { srcdoc: `<img src="${url}">` }),
    "frame-blob-image": (url) => load("iframe", { src: html(`<img src="${url}">`) }),
    "frame-blank-fetch": (url) => add("iframe", {}).contentWindow.fetch(url, { mode: "no-cors" }),
    "frame-meta-refresh": (url) => load("iframe", { srcdoc: `<meta http-equiv="refresh" content="0;url=${url}">` }),
    form: (url) => {
      add("iframe", { name: "audit-form" });
      add("form", { action: url, target: "audit-form", method: "post" }).submit();
    },
    ping: (url) => add("a", { href: "#audit", ping: url }).click(),
    prefetch: (url) => load("link", { rel: "prefetch", href: url }),
    preload: (url) => load("link", { rel: "preload", as: "fetch", href: url, crossorigin: "" }),
    modulepreload: (url) => load("link", { rel: "modulepreload", href: url }),
  };

  const channels = { ...everywhere, ...(typeof document === "undefined" ? inWorkers : inPages) };
  /** @type {Record<string, string>} */
  const results = {};
  const attempts = Object.entries(channels).map(async ([name, attempt]) => {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), LIMIT_MS));
    try {
      await Promise.race([(async () => attempt(`${base}/${name}`))(), late]);
      results[name] = "done";
    } catch (error) {
      results[name] = String(/** @type {any} */ (error)?.message ?? error);
    }
  });
  await Promise.all(attempts);
  return results;
};
