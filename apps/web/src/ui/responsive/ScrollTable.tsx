import { type GetRef, Table, type TableProps } from 'antd'
import { useEffect, useRef } from 'react'

/** antd's table for few rows, which scrolls sideways where it is too wide. The keyboard reaches what scrolls. */
export const ScrollTable = <Row extends object>(props: Omit<TableProps<Row>, 'scroll'>) => {
  const table = useRef<GetRef<typeof Table>>(null)
  useEffect(() => {
    const scrolling = table.current?.nativeElement.querySelector<HTMLElement>('.ant-table-content')
    if (!scrolling) return undefined
    const observer = new ResizeObserver(() => {
      if (scrolling.scrollWidth > scrolling.clientWidth) scrolling.tabIndex = 0
      else scrolling.removeAttribute('tabindex')
    })
    observer.observe(scrolling)
    // Other rows may need more width at the same height.
    if (scrolling.firstElementChild) observer.observe(scrolling.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return <Table<Row> ref={table} scroll={{ x: 'max-content' }} {...props} />
}
