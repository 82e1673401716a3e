/** The only import of the MCP client package, loaded by a dynamic import on first use. */
export { createMCPClient, type JSONRPCMessage, type MCPClient, type MCPTransport } from '@ai-sdk/mcp';
