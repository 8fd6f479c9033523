import type { Topic } from '../topic.ts'

/** Separate, because the greeting is shown before the rest is loaded (early-greeting.ts). */
export const greeting = {
  night: ['夜深了，{name}', 'It is late, {name}'],
  morning: ['早上好，{name}', 'Good morning, {name}'],
  forenoon: ['上午好，{name}', 'Good morning, {name}'],
  afternoon: ['下午好，{name}', 'Good afternoon, {name}'],
  evening: ['晚上好，{name}', 'Good evening, {name}'],
} satisfies Topic

/** Used by the first script alone, when nothing else was loaded. */
export const ahead = {
  missing: [
    '页面没有加载完整：网络中断，或系统已更新。',
    'The page did not come whole: the line is cut, or the system was updated.',
  ],
  reload: ['重新加载', 'Reload'],
} satisfies Topic
