/**
 * Ways out that no Content Security Policy covers, by name. Each function gets the address to reach and is called in
 * the page, one at a time; those that leave an open page come last.
 */
({
  "window.open": (/** @type {string} */ url) => (window.open(url) ? "done" : "no window"),
  "window.open, noopener": (/** @type {string} */ url) => {
    window.open(url, "_blank", "noopener");
  },
  "window.open, blank then image": (/** @type {string} */ url) => {
    const made = /** @type {Window} */ (window.open("about:blank"));
    const image = made.document.createElement("img");
    image.src = url;
    made.document.body.append(image);
  },
  "a[target=_blank]": (/** @type {string} */ url) => {
    const link = Object.assign(document.createElement("a"), { href: url, target: "_blank" });
    document.body.append(link);
    link.click();
  },
  "a[download]": (/** @type {string} */ url) => {
    const link = Object.assign(document.createElement("a"), { href: url, download: "x" });
    document.body.append(link);
    link.click();
  },
  RTCPeerConnection: async (/** @type {string} */ url) => {
    const { host } = new URL(url);
    const turn = { urls: `turn:${host}?transport=tcp`, username: "u", credential: "secret" };
    const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:${host}` }, turn] });
    connection.createDataChannel("x");
    await connection.setLocalDescription(await connection.createOffer());
    await new Promise((resolve) => setTimeout(resolve, 800));
    connection.close();
  },
  "link[rel=preconnect]": (/** @type {string} */ url) => {
    const href = url.replace("127.0.0.1", "preconnect.example");
    document.head.append(Object.assign(document.createElement("link"), { rel: "preconnect", href }));
  },
  "link[rel=dns-prefetch]": (/** @type {string} */ url) => {
    const href = url.replace("127.0.0.1", "look-up.example");
    document.head.append(Object.assign(document.createElement("link"), { rel: "dns-prefetch", href }));
  },
  "a link in the page": (/** @type {string} */ url) => {
    const link = Object.assign(document.createElement("a"), { href: url });
    document.body.append(link);
    link.click();
  },
  location: (/** @type {string} */ url) => {
    location.href = url;
  },
});
