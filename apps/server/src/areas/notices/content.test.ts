import { describe, expect, it } from 'vitest'
import { ValidationError } from '#http/business-error'
import { cleanContent } from './content.ts'

describe('the content of a notice', () => {
  it('keeps structural markup of a text', () => {
    const html =
      '<h2>标题</h2><p>一<strong>二</strong><br />三</p><ul><li>四</li></ul><table><tr><td colspan="2">五</td></tr></table>'
    expect(cleanContent(html)).toBe(html)
  })

  it('opens external links in a new window, without a referrer', () => {
    expect(cleanContent('<a href="https://example.org/?a=1&amp;b=2" onclick="x()">去</a>')).toBe(
      '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">去</a>',
    )
  })

  it("keeps pictures that are stored files, without the writer's signed link", () => {
    const html = '<p>一</p><img src="/admin-api/infra/file/7?e=1&amp;u=2&amp;s=x" alt="图" onload="x()" width="9" />'
    expect(cleanContent(html)).toBe('<p>一</p><img src="/admin-api/infra/file/7" alt="图" />')
    expect(cleanContent('<img src="/admin-api/infra/file/7">')).toBe('<img src="/admin-api/infra/file/7" />')
  })

  it.each([
    'https://example.org/admin-api/infra/file/7',
    '//example.org/admin-api/infra/file/7',
    '/admin-api/infra/file/7/../../system/auth/logout',
    '/admin-api/infra/file/x',
    '/favicon.svg',
    'data:image/png;base64,AAAA',
    ' javascript:alert(1)',
  ])('takes out a picture from anywhere else: %s', (src) => {
    expect(cleanContent(`<p>一</p><img src="${src}">`)).toBe('<p>一</p>')
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><g></g></svg>',
    '<iframe src="https://example.org"></iframe>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="//example.org">x</a>',
    '<p style="position:fixed;inset:0" class="ant-modal" id="root" onmouseover="alert(1)">x</p>',
    '<form action="https://example.org"><input name="password"></form>',
    '<base href="https://example.org/"><link rel=stylesheet href=x><meta http-equiv=refresh content=0>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<<script>script>alert(1)</script>',
    '<p title="</p><img src=x onerror=alert(1)>">x</p>',
  ])('takes out what runs, loads or covers: %s', (html) => {
    const clean = cleanContent(`<p>前</p>${html}`)
    expect(clean).not.toMatch(/<(?!\/?(?:p|a)\b)|<[^>]*\b(?:on\w+|style|class|id|src)=|href="(?!https?:|mailto:)/i)
    expect(clean).toContain('<p>前</p>')
  })

  it.each(['<p><br></p>', '  ', '<p>&nbsp;</p>', '<script>x</script>'])('rejects empty content: %s', (html) => {
    expect(() => cleanContent(html)).toThrow(ValidationError)
  })

  it('limits the stored length, and names the limit', () => {
    const tooLong = { rule: 'tooLong', bound: 65_535, message: '通知内容不能超过 65535 个字符' }
    expect(() => cleanContent('&'.repeat(20_000))).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining(tooLong)] }),
    )
  })
})
