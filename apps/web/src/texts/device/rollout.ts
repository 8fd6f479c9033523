import type { Topic } from '../topic.ts'

export const rollout = {
  views: ['视图', 'Views'],
  rollouts: ['升级发布', 'Rollouts'],
  packages: ['升级包', 'Packages'],
  signatureValid: ['有效', 'Valid'],
  signatureInvalid: ['签名不符，设备会拒绝', 'Invalid, devices refuse it'],
  create: ['新增升级', 'New rollout'],
  addPackage: ['登记升级包', 'Add package'],
  none: [
    '还没有升级。先登记升级包，再新增升级，由另一人批准后开始。',
    'No rollouts yet. Add a package, create a rollout, and have another person approve it.',
  ],
  noPackages: ['还没有升级包。', 'No packages yet.'],
  noDevices: ['没有可见的设备。', 'No devices that you can see.'],
  file: ['文件', 'File'],
  fileHelp: ['ZIP 文件', 'A ZIP file'],
  fileMissing: ['请上传文件', 'Upload the file'],
  signatureHelp: [
    '对「类型|产品标识|版本号|SHA-256」的 Ed25519 签名，Base64',
    'Ed25519 signature of “kind|product key|release|SHA-256”, in base64',
  ],
  limitHelp: [
    '失败和离线超过该比例时自动中止',
    'The rollout halts by itself when failed and offline devices exceed this share',
  ],
  ring: ['第 {n} 批 {share}%', 'Ring {n}, {share}%'],
  now: ['当前', 'Now'],
  devicesOf: ['{ended} / {total} 台', '{ended} / {total} devices'],
  gate: ['健康门限', 'Health gate'],
  gateDetail: [
    '失败 {failed} 台，离线 {offline} 台，已开始 {started} 台',
    '{failed} failed, {offline} offline, {started} started',
  ],
  facts: ['升级', 'Rollout'],
  halted: ['已中止：{reason}', 'Halted: {reason}'],
  inClass: ['上课时间不升级，{at} 继续', 'Nothing is updated in class hours; it goes on at {at}'],
  inExams: ['考试日不升级，{at} 继续', 'Nothing is updated on exam days; it goes on at {at}'],
  frozen: ['所有升级已暂停（系统设置 ota.freeze）', 'All updates are frozen (setting ota.freeze)'],
  needsApproval: ['由另一人批准后才能开始。', 'Another person must approve it before it starts.'],
  watchOnly: [
    '其中 {n} 台设备您看不到，只有能看到全部设备的人才能操作。',
    'You do not see {n, plural(one: device; other: devices)} of it; only somebody who sees all of them can act.',
  ],
  startAsk: ['开始升级 {n} 台设备？', 'Start updating {n, plural(one: device; other: devices)}?'],
  startHelp: ['先升级 1%，正常后再到 10%、50% 和全部。', 'First 1 %, then 10 %, 50 % and all while they stay healthy.'],
  abortHelp: [
    '未下发的升级命令会撤回；已开始的设备继续完成。',
    'Commands that were not sent are withdrawn; devices that have begun go on.',
  ],
  rollBackHelp: [
    '所有可能已收到升级的设备会收到回退命令；离线的上线后补发，上课和考试的学校在结束后补发。',
    'Each device that may have the release is told to go back: one that is offline when it returns, one at a school with class or exams afterwards.',
  ],
  reason: ['原因', 'Reason'],
} satisfies Topic
