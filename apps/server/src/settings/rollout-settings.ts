/** Updates of devices over the air. */
export const rolloutSettings = [
  {
    key: 'ota.public-key',
    category: 'ota',
    name: '升级公钥',
    nameEn: 'Public key of packages',
    value: '',
    valueType: 'STRING',
    visible: false,
    remark: 'Ed25519 公钥（32 字节，Base64）；为空时不能登记升级包',
    remarkEn: 'Ed25519 public key, 32 bytes in base64; without it no package can be added',
    fits: (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text),
  },
  {
    key: 'ota.freeze',
    category: 'ota',
    name: '暂停所有升级',
    nameEn: 'Freeze all updates',
    value: 'false',
    valueType: 'BOOLEAN',
    visible: false,
    remark: '打开后不再开始新的设备升级，例如考试期间；已开始的设备继续完成',
    remarkEn: 'While on, no device starts an update, for example during exams; devices that have begun go on',
  },
] as const
