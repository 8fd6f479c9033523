import { expect, it } from 'vitest'
import { aliyunAuthorization } from './aliyun.ts'
import { tencentAuthorization } from './tencent.ts'

// The examples that the providers publish with their algorithms.

it('signs as Alibaba Cloud documents ACS3-HMAC-SHA256', () => {
  const call = {
    method: 'POST',
    path: '/',
    query: { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' },
    headers: {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      'x-acs-action': 'RunInstances',
      'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-acs-date': '2023-10-26T10:22:32Z',
      'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
      'x-acs-version': '2014-05-26',
    },
    body: '',
  }
  expect(aliyunAuthorization(call, { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' })).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
      'x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

it('signs as Tencent Cloud documents TC3-HMAC-SHA256', () => {
  const masked = '*'.repeat(32)
  const keys = { id: `AKID${masked}`, secret: masked }
  const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    host: 'cvm.tencentcloudapi.com',
    'x-tc-action': 'DescribeInstances',
  }
  const signed = tencentAuthorization({ service: 'cvm', headers, body, seconds: 1_551_113_065 }, keys)
  expect(signed).toBe(
    `TC3-HMAC-SHA256 Credential=AKID${masked}/2019-02-25/cvm/tc3_request, ` +
      'SignedHeaders=content-type;host;x-tc-action, ' +
      'Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
  )
})
