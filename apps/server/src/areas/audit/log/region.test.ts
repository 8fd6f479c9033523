import { describe, expect, it } from 'vitest'
import { builtInRegions, parseRegionTable } from './region.ts'

describe('the region of an address', () => {
  it.each([
    ['127.0.0.1', '本机'],
    ['::1', '本机'],
    ['::ffff:127.3.2.1', '本机'],
    ['10.255.0.1', '内网'],
    ['172.31.255.255', '内网'],
    ['172.32.0.0', null],
    ['192.168.1.1', '内网'],
    ['::ffff:192.168.1.1', '内网'],
    ['fd12:3456::7', '内网'],
    ['fe80::1%eth0', '内网'],
    ['8.8.8.8', null],
    ['2001:4860:4860::8888', null],
    ['', null],
    ['unknown', null],
    [null, null],
  ])('without a file %s is %s', (address, region) => {
    expect(builtInRegions(address)).toBe(region)
  })

  const text = [
    '\uFEFF# 专网分配',
    '',
    '10.0.0.0/8,公安专网',
    '10.20.0.0/16, 朝阳分局, 二楼 ',
    '10.20.30.40,值班台',
    '1.2.0.0/15,北京',
    '2001:db8::/32,教育网\r',
  ].join('\n')

  it.each([
    ['10.20.30.40', '值班台'],
    ['10.20.30.41', '朝阳分局, 二楼'],
    ['10.21.0.1', '公安专网'],
    ['::ffff:10.20.0.1', '朝阳分局, 二楼'],
    ['1.3.255.255', '北京'],
    ['1.4.0.0', null],
    ['2001:0DB8:ffff:0:0:0:0:1', '教育网'],
    ['192.168.0.1', '内网'],
  ])('by the longest network of the file %s is %s', (address, region) => {
    expect(parseRegionTable(text)(address)).toBe(region)
  })

  it.each([
    '10.0.0.0/8',
    '10.0.0.0/33,甲',
    '10.0.0/8,甲',
    '10.0.0.0/8/8,甲',
    '10.0.0.0/x,甲',
    '10.0.0.0/8, ',
    ',甲',
    'fc00::/129,甲',
  ])('a line %s is refused with its number', (line) => {
    expect(() => parseRegionTable(`# 一\n${line}\n`)).toThrow('line 2 is not like')
  })
})
