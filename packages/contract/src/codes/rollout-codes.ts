import { type Code, code } from './code.ts'

/** The states of a rollout; here because error messages name them too. */
export const rolloutStateLabels = {
  DRAFT: ['草稿', 'Draft'],
  APPROVED: ['已批准', 'Approved'],
  RING: ['进行中', 'Running'],
  PAUSED: ['已暂停', 'Paused'],
  COMPLETED: ['已完成', 'Completed'],
  HALTED: ['已中止', 'Halted'],
} as const

/** Of program packages and rollouts, part of `codes`. */
export const rolloutCodes = {
  rolloutState: {
    ...code(1_004_009_000, '升级处于「{state}」，不能执行该操作', 'Not possible while the rollout is “{state}”'),
    words: { state: rolloutStateLabels },
  },
  rolloutApprover: code(
    1_004_009_001,
    '批准人不能是创建人，请由另一人批准',
    'The creator cannot approve the rollout; another person must',
  ),
  rolloutEmpty: code(
    1_004_009_002,
    '没有可升级的设备：该型号没有在用且支持远程升级的设备',
    'No device to update: no device of this model is in service and supports updates over the air',
  ),
  rolloutOpen: code(
    1_004_009_003,
    '有设备已在另一个未结束的同类升级中，请先完成或中止',
    'Another open rollout of this kind has some of these devices; finish or abort it first',
  ),
  packageSignature: code(
    1_004_009_004,
    '签名与文件不符：请用系统设置中公钥对应的私钥重新签名',
    'The signature does not fit the file: sign it with the private key that belongs to the public key in the settings',
  ),
  packageKey: code(
    1_004_009_005,
    '未配置升级公钥（ota.public-key），不能登记升级包',
    'No public key is set (ota.public-key), so packages cannot be added',
  ),
  packageHash: code(
    1_004_009_006,
    'SHA-256 与上传的文件不符，文件可能损坏',
    'The SHA-256 does not fit the uploaded file, which may be damaged',
  ),
  rolloutUnseen: code(
    1_004_009_007,
    '升级包含您看不到的设备，只有能看到全部设备的人才能操作',
    'The rollout has devices that you do not see; only somebody who sees all of them can do this',
  ),
} satisfies Record<string, Code>
