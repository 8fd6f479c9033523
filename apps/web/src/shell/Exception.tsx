import { DisconnectOutlined, InboxOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Statement } from '#ui/statement/Statement.tsx'
import { signOut } from './sign-out.ts'

/** SPEC 2's exception page. */
export type Trouble = '403' | '404' | '500' | 'empty' | 'network'

const texts = {
  403: 'shell.forbiddenTitle',
  404: 'shell.notFoundTitle',
  500: 'shell.serverErrorTitle',
  empty: 'shell.emptyTitle',
  network: 'shell.networkTitle',
} as const

const marks = {
  403: '403',
  404: '404',
  500: '500',
  empty: <InboxOutlined aria-hidden />,
  network: <DisconnectOutlined aria-hidden />,
} as const

type Props = {
  trouble: Trouble
  /** Stands large above, instead of the number of the trouble. */
  mark?: string
  /** Instead of the sentence that belongs to the trouble. */
  title?: string
  detail?: ReactNode
  /** Further ways on, before those home and to sign-in. */
  more?: ReactNode
}

/** In place of a whole page: what is wrong, and the ways on. */
export const Exception = ({ trouble, mark, title, detail, more }: Props) => {
  const { t } = useTranslation()
  return (
    <Statement mark={mark ?? marks[trouble]} title={title ?? t(texts[trouble])} detail={detail}>
      {more}
      <Link to="/">
        <Button type={more ? 'default' : 'primary'}>{t('shell.home')}</Button>
      </Link>
      <Button onClick={() => void signOut()}>{t('shell.toSignIn')}</Button>
    </Statement>
  )
}
