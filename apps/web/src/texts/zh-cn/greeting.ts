/** Apart from the rest, because the page greets before the rest has come (greet-ahead.ts). */
export const greeting = {
  night: '夜深了，{name}',
  morning: '早上好，{name}',
  forenoon: '上午好，{name}',
  afternoon: '下午好，{name}',
  evening: '晚上好，{name}',
}

/** Said by the first script alone, when nothing else has come. */
export const ahead = {
  missing: '页面没有加载完整：网络中断，或系统已更新。',
  reload: '重新加载',
}
