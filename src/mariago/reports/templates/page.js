function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}

document.querySelectorAll("main .stepper").forEach((figure) => {
  const data = JSON.parse(figure.querySelector("script").textContent);
  Viewer(figure, data, figure.querySelector("template").content.firstElementChild.cloneNode(true));
});
document.querySelectorAll(".command button").forEach((button) => {
  const before = button.textContent;
  button.hidden = false;
  button.addEventListener("click", () => {
    copyText(button.parentElement.querySelector("code").textContent).then(() => {
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = before; }, 2000);
    });
  });
});
