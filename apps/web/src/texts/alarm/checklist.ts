import type { Topic } from '../topic.ts'

export const checklist = {
  name: ['预案', 'Plan'],
  title: ['预案 {done}/{total}', 'Plan {done}/{total}'],
  missing: ['还差 {n} 步', '{n, plural(one: step; other: steps)} open'],
  target: ['目标 {n} 秒', 'target {n} s'],
  skip: ['跳过', 'Skip'],
  skipTitle: ['跳过第 {no} 步', 'Skip step {no}'],
  skipped: ['已跳过', 'Skipped'],
  reason: ['理由', 'Reason'],
  call: ['拨打：{who}', 'Call: {who}'],
  noNumber: ['{who}：没有可拨的电话', '{who}: no number'],
  noCallee: ['预案没有写明拨给谁', 'The plan names nobody to call'],
  sirenAsk: ['让该设备鸣警笛 {n} 秒？', 'Sound the siren of this device for {n} s?'],
  sirenYes: ['鸣警笛', 'Sound siren'],
  speak: ['设备播报', 'Speak at the device'],
  speakAsk: ['让报警设备播报：「{text}」？', 'Speak at the device of the alarm: “{text}”?'],
  soundSent: ['命令已下发到设备', 'Command sent to the device'],
  nobodyFound: ['现场无人，结束', 'Nobody there: resolve'],
  nobodyFoundHelp: [
    '只有「现场无人」可以在步骤未完成时结束。',
    'Only “nobody found” ends an alarm while steps are open.',
  ],
} satisfies Topic
