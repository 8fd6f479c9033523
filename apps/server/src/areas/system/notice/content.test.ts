import { describe, expect, it } from 'vitest'
import { BadInput } from '#http/refusal'
import { cleanContent } from './content.ts'

describe('the content of a notice', () => {
  it('keeps what structures a text', () => {
    const html =
      '<h2>标题</h2><p>一<strong>二</strong><br />三</p><ul><li>四</li></ul><table><tr><td colspan="2">五</td></tr></table>'
    expect(cleanContent(html)).toBe(html)
  })

  it('opens links elsewhere, without telling where from', () => {
    expect(cleanContent('<a href="https://example.org/?a=1&amp;b=2" onclick="x()">去</a>')).toBe(
      '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">去</a>',
    )
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

  it.each(['<p><br></p>', '  ', '<p>&nbsp;</p>', '<script>x</script>'])('refuses to say nothing: %s', (html) => {
    expect(() => cleanContent(html)).toThrow(BadInput)
  })
})
