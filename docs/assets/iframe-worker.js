// The site's search runs in a worker, and browsers start none on a page that is opened from disk.
// There the worker's script runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      const frame = document.createElement("iframe")
      frame.hidden = true
      frame.srcdoc = ""
      frame.addEventListener("load", () => this.begin(frame.contentWindow, url), { once: true })
      document.body.append(frame)
    }

    begin(inner, url) {
      inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = inner.document.createElement("script")
      script.src = url
      script.addEventListener("load", () => {
        this.deliver = data => inner.dispatchEvent(new inner.MessageEvent("message", { data }))
        this.waiting.forEach(this.deliver)
      })
      inner.document.head.append(script)
    }

    postMessage(data) {
      if (this.deliver) this.deliver(data)
      else this.waiting.push(data)
    }
  }
}
